/** `suffice example`: a small table to try things on, as CSV; without a name, which there are. */
import { readFile } from "node:fs/promises"
import type { Session } from "../terminal/session.ts"
import { textTable } from "../terminal/table.ts"

export async function exampleCommand(session: Session, name: string | undefined): Promise<void> {
  const { EXAMPLES, examplePath } = await import("suffice-files")
  if (name !== undefined)
    return session.put(await readFile(examplePath(name as keyof typeof EXAMPLES), "utf8"))
  await session.put(`${textTable([{ title: "name" }, { title: "is" }], Object.entries(EXAMPLES))}\n`)
}
