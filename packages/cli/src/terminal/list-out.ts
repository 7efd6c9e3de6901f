/**
 * One JSON object with a long list in it, written item by item. Nothing is written before the first item; if a later one fails, the object ends with the
 * error instead of the rest (main.ts), and is still valid.
 */
import { type Session, toJson } from "./session.ts"

export async function listOut(
  session: Session,
  head: Readonly<Record<string, unknown>>,
  name: string,
  batches: AsyncIterable<readonly unknown[]>,
  rest: () => Readonly<Record<string, unknown>> = () => ({}),
): Promise<void> {
  let begun = false
  const begin = async (): Promise<void> => {
    begun = true
    session.unclosed = "\n  ]"
    await session.put(`{${members(head)},\n  ${JSON.stringify(name)}: [`)
  }
  let first = true
  for await (const items of batches) {
    if (!begun) await begin()
    if (items.length === 0) continue
    await session.put(`${first ? "" : ","}${items.map(item => `\n    ${toJson(item, 0)}`).join(",")}`)
    first = false
  }
  if (!begun) await begin()
  session.unclosed = undefined
  const after = members(rest())
  await session.put(`\n  ]${after === "" ? "" : `,${after}`}\n}\n`)
}

/** Members of an object, without its braces. What is undefined is left out, and a list has a line for each item. */
function members(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        `\n  ${JSON.stringify(name)}: ${Array.isArray(value) ? lines(value) : toJson(value)}`,
    )
    .join(",")
}

function lines(items: readonly unknown[]): string {
  return `[${items.map(item => `\n    ${toJson(item, 0)}`).join(",")}\n  ]`
}
