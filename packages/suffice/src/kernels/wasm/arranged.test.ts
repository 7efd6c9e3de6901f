import { expect, test } from "vitest"
import { dice } from "../../random.ts"
import { arrangeWords, fetchRows } from "./arranged.ts"

test("every word has a place of its own, and none lies before one that stands in twice as many documents", () => {
  const random = dice(5)
  const documents = Array.from({ length: 500 }, () => random.integer(1 + random.integer(3000)))
  const { places } = arrangeWords(documents, new Int32Array(500))
  expect(places.slice().sort()).toEqual(Int32Array.from({ length: 500 }, (_, place) => place))
  const lying = new Int32Array(500)
  places.forEach((place, w) => {
    lying[place] = w
  })
  for (let place = 1; place < 500; place++) {
    expect(documents[lying[place]]).toBeLessThan(2 * Math.max(documents[lying[place - 1]], 1))
  }
})

test("rows whose words go up are fetched in the order of memory, each word where it lies", () => {
  const random = dice(6)
  const documents = Array.from({ length: 90 }, () => random.integer(1 + random.integer(300)))
  const arranged = arrangeWords(documents, new Int32Array(90))
  const rows = Array.from({ length: 40 }, () =>
    Array.from({ length: 90 }, (_, w) => w).filter(() => random.uniform() < 0.2),
  )
  const offsets = Int32Array.from([0, ...rows.map((_, i) => rows.slice(0, i + 1).flat().length)])
  const words = Int32Array.from(rows.flat())
  const fetched = new Int32Array(words.length)
  fetchRows(arranged, offsets, words, fetched)
  rows.forEach((row, i) => {
    const expected = Int32Array.from(row, w => arranged.places[w]).sort()
    expect(fetched.slice(offsets[i], offsets[i + 1])).toEqual(expected)
  })
})
