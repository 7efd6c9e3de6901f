/** The example tables of the documentation, which come with this package: small CSV files to try things on. */
import { fileURLToPath } from "node:url"
import { nearest } from "suffice"
import { FileError, listed, quoted } from "./errors.ts"

/** The example tables by name, and what is in them. */
export const EXAMPLES = {
  penguins: "344 penguins of three species with their measurements; 19 cells are missing",
  visits: "240 made-up days of a web server; some cells are missing, four days are odd",
} as const

/** The name of an example table. */
export type ExampleName = keyof typeof EXAMPLES

/** Where an example table lies: `openTable(examplePath("penguins"))`. */
export function examplePath(name: ExampleName): string {
  if (!Object.hasOwn(EXAMPLES, name)) {
    const names = Object.keys(EXAMPLES)
    const near = nearest(name, names)
    throw new FileError(
      "path",
      `there is no example table ${quoted(name)}. There are ${listed(names)}. ${
        near.length > 0 ? `Did you mean ${quoted(near[0])}?` : "Name one of them."
      }`,
      { name, names, nearest: near },
    )
  }
  return fileURLToPath(new URL(`../examples/${name}.csv`, import.meta.url))
}
