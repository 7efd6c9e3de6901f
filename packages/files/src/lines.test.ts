/** Lines that do not end: read in a time that grows with their length, up to a limit, and not past an abort. */
import { expect, test } from "vitest"
import { file, refusal } from "../test/scratch.ts"
import { findFile, linesOf } from "./bytes.ts"
import { LIMITS } from "./limits.ts"
import { openTable } from "./open.ts"

async function all(path: string): Promise<{ text: string; line: number }[]> {
  const lines: { text: string; line: number }[] = []
  for await (const some of linesOf(await findFile({ path, at: path }))) lines.push(...some)
  return lines
}

test("lines are those between line ends, wherever the file is cut into parts", async () => {
  const long = "é".repeat(300_000)
  const texts = ["a", "", `${long}1`, "b", long, long, ""]
  for (const end of ["\n", "\r\n"]) {
    const lines = await all(file("lines.txt", texts.join(end)))
    expect(lines).toEqual(texts.slice(0, -1).map((text, i) => ({ text, line: i + 1 })))
    expect(await all(file("lines.txt", `${texts.join(end)}open`))).toEqual(
      texts.map((text, i) => ({ text: i === texts.length - 1 ? "open" : text, line: i + 1 })),
    )
  }
})

test("the bytes of one long line are looked at once each", async () => {
  const length = LIMITS.line - 10
  const path = file("long.txt", `${"x".repeat(length)}\nend\n`)
  // Every part that is read is searched for its ends of lines; what was read before is not searched again.
  const searched = { characters: 0 }
  const split = String.prototype.split
  String.prototype.split = function (this: string, ...asked: [never]) {
    searched.characters += this.length
    return split.apply(this, asked)
  } as typeof split
  try {
    expect((await all(path)).map(({ text }) => text.length)).toEqual([length, 3])
  } finally {
    String.prototype.split = split
  }
  expect(searched.characters).toBeLessThan(1.01 * length)
})

test.each([
  ["endless.svm", "1 1:1\n1"],
  ["endless.arff", "@relation r\n@attribute a numeric\n@data\n1\n"],
])("a line beyond the limit is refused: %s", async (name, head) => {
  const path = file(name, `${head}${" 2:1".repeat(LIMITS.line / 4 + 1)}`)
  const said = await refusal(
    openTable(path).then(async table => {
      for await (const _ of table.source);
    }),
  )
  expect(said).toMatch(/^line [25] of "endless\.(svm|arff)" has more than 16,777,216 characters\./)
  expect(said.replace(/^line \d of "\S+" /, "")).toMatchInlineSnapshot(
    `"has more than 16,777,216 characters. A line is a row, and is held in memory as one text. Check that the file has ends of lines, or pass another format."`,
  )
})

test("a line of CSV beyond the limit is refused, wherever it stands", async () => {
  const refused = (rows: string): Promise<string> => refusal(openTable(file("endless.csv", `a,b\n${rows}\n`)))
  const long = "x".repeat(4 * LIMITS.csvLine)
  expect(await refused(`1,y\n1,${long}\n1,z`)).toMatchInlineSnapshot(
    `"a line of "endless.csv" has more than 8,000,000 bytes. A line is held in memory as a whole; a quote may be open from there on, or the file is no CSV. Check the line, or, if no cell is quoted, pass quote: ""."`,
  )
  expect(await refused(`1,y\n1,${long}`)).toMatchInlineSnapshot(
    `"the last line of "endless.csv" has more than 8,000,000 bytes. A line is held in memory as a whole; a quote may be open from there on, or the file is no CSV. Check the line, or, if no cell is quoted, pass quote: ""."`,
  )
  expect(await refused(`1,y\n1,"${long}"\n1,z`)).toMatchInlineSnapshot(
    `"line 3 of "endless.csv" opens a quote that is never closed: "1,y". The file ends inside a cell, or a cell holds a single quote sign, or a line has more than 8,000,000 bytes, which is too long. Close it, write a quote inside a cell twice, or, if no cell is quoted, pass quote: ""."`,
  )
  expect(await refused(`1,y\n1,${"x".repeat(LIMITS.csvLine + 100)}\n1,z`)).toMatchInlineSnapshot(
    `"line 3 of "endless.csv" has more than 8,000,000 bytes. A line is held in memory as a whole; a quote may be open from there on, or the file is no CSV. Check the line, or, if no cell is quoted, pass quote: ""."`,
  )
  const table = await openTable(file("long.csv", `a,b\n1,y\n1,${"x".repeat(LIMITS.csvLine - 100)}`))
  expect(await table.count()).toBe(2)
  await table.close()
})

test.each(["abort.svm", "abort.arff", "abort.csv", "abort.ndjson", "abort.svm.gz"])(
  "an abort ends the opening of a long file: %s",
  async name => {
    const row = name.includes("svm")
      ? "1 1:1 2:1"
      : name.includes("arff")
        ? "% nothing"
        : name.includes("csv")
          ? "1,a"
          : '{"a":1,"b":"c"}'
    const head = name.includes("arff") ? "@relation r\n" : ""
    const path = file(name, `${head}${`${row}\n`.repeat(2_000_000)}`)
    // while the file is read, whenever that is: soon after the second look at the signal
    const controller = new AbortController()
    const { signal } = controller
    let looks = 0
    signal.throwIfAborted = () => {
      if (++looks === 2) setTimeout(() => controller.abort(new Error("enough")), 20)
      AbortSignal.prototype.throwIfAborted.call(signal)
    }
    expect(await refusal(openTable(path, { signal }))).toBe("enough")
  },
)

test("an abort ends a query that would take long", async () => {
  const controller = new AbortController()
  const sql = "select count(*) as n from range(100000000000) a where hash(range) = 3"
  setTimeout(() => controller.abort(new Error("enough")), 300)
  const opened = openTable({ sql }, { signal: controller.signal })
  const ended = opened.then(async table => {
    try {
      await table.take(1)
    } finally {
      await table.close()
    }
  })
  expect(await refusal(ended)).toBe("enough")
})
