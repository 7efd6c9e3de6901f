import { expect, test } from "vitest"
import { packAnswer, readAnswer } from "./answer.ts"
import { packFrame, readFrame } from "./frame.ts"

const answer = {
  ...{ chunk: 3, chunks: 1, rows: 7 },
  swept: { stats: Float64Array.of(1, -0, 5e-324), logLikelihood: -1.5, entropy: 0.25, guessed: true },
}

test("an answer and a frame come back as they were from a Buffer, which shares its memory with others", () => {
  const before = Buffer.from("base64 of something else", "utf8")
  expect(readAnswer(Buffer.from(Buffer.from(packAnswer(answer)).toString("base64"), "base64"))).toEqual(
    answer,
  )
  const frame = packFrame({ first: 8192, rows: 2, columns: { x: [1, 2] } })
  const elsewhere = Buffer.concat([before.subarray(0, 3), frame]).subarray(3)
  expect([...(readFrame(elsewhere).columns.x as Float64Array)]).toEqual([1, 2])
})
