import { expect, test } from "vitest"
import { Html, html } from "./html.ts"
import { mistakes } from "./mistakes.ts"

test("what is put into HTML is text, wherever it stands, unless it is HTML itself", () => {
  const hostile = `<b a="1" b='2'>&`
  expect(html`<p title='${hostile}'>${hostile}${new Html("<i>")}${[1, null, false, "x"]}</p>`.text).toBe(
    "<p title='&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;'>&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;<i>1x</p>",
  )
})

test("mistakes are what was taken for something else, most frequent first", () => {
  const counts = [
    [90, 2, 0],
    [5, 80, 2],
    [0, 0, 70],
  ]
  expect(mistakes(["a", "b", "c"], counts)).toEqual([
    ["b", "a", "5"],
    ["a", "b", "2"],
    ["b", "c", "2"],
  ])
  expect(mistakes(["a", "b", "c"], counts, 1)).toHaveLength(1)
})
