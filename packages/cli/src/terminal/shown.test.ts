import { expect, test } from "vitest"
import { commandLine } from "../main.ts"
import { toJson } from "./session.ts"
import { shown, shownLines } from "./shown.ts"
import { textTable } from "./table.ts"

/** Every character a terminal may obey, and that may turn the direction of a line. */
const CONTROL = [
  ...Array.from({ length: 0x20 }, (_, code) => code),
  ...Array.from({ length: 0x21 }, (_, code) => 0x7f + code),
  ...[0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
].map(code => String.fromCharCode(code))

test("control characters are shown, and nothing else is changed", () => {
  expect(shown("\u001b[31mred\u001b[0m\r\n\u0000\u007f\u009b1m\u202eabc")).toMatchInlineSnapshot(
    `"␛[31mred␛[0m␍␊␀␡\\u009b1m\\u202eabc"`,
  )
  const all = CONTROL.join("")
  for (const sign of CONTROL) {
    expect(shown(all)).not.toContain(sign)
    if (sign !== "\n") expect(shownLines(all)).not.toContain(sign)
  }
  const plain = "Zoë, 東京, 👍🏽, עברית, ½ ␛ \\u001b  “”"
  expect([shown(plain), shownLines(`${plain}\n`)]).toEqual([plain, `${plain}\n`])
})

test("JSON escapes what it would send, and means the same", () => {
  const value = { [CONTROL.join("")]: CONTROL, plain: "é" }
  const json = toJson(value)
  for (const sign of CONTROL) if (sign !== "\n") expect(json).not.toContain(sign)
  expect(JSON.parse(json)).toEqual(value)
})

test("a table is as wide as what is shown in it", () => {
  expect(
    textTable(
      [{ title: "a\nb" }, { title: "n", align: "right" }],
      [
        ["\u009b", "1"],
        ["x\u001b", "22"],
      ],
    ),
  ).toBe(["  a␊b      n", "  ──────  ──", "  \\u009b   1", "  x␛      22"].join("\n"))
})

test("a command line can be typed again, on one line", () => {
  expect(commandLine(["fit", "it's.csv", "--sql", "select 'a'\nfrom \\x", "\u001b"])).toMatchInlineSnapshot(
    `"suffice fit 'it'\\''s.csv' --sql $'select \\'a\\'\\u000afrom \\\\x' $'\\u001b'"`,
  )
})
