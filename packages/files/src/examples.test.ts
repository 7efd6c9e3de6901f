import { expect, test } from "vitest"
import { EXAMPLES, type ExampleName, examplePath } from "./examples.ts"
import { openTable } from "./open.ts"

test("every example table is there, and has the rows it is said to have", async () => {
  for (const [name, says] of Object.entries(EXAMPLES)) {
    const table = await openTable(examplePath(name as ExampleName))
    expect(says).toMatch(new RegExp(`^${await table.count()} `))
    await table.close()
  }
})

test("an example that does not exist is refused, with those that do", () => {
  const ask = (name: string) => () => examplePath(name as ExampleName)
  expect(ask("penguin")).toThrowErrorMatchingInlineSnapshot(
    `[FileError: there is no example table "penguin". There are "penguins" and "visits". Did you mean "penguins"?]`,
  )
  expect(ask("constructor")).toThrowErrorMatchingInlineSnapshot(
    `[FileError: there is no example table "constructor". There are "penguins" and "visits". Name one of them.]`,
  )
})
