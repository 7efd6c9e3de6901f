/** `suffice studio`: the web page in which a file becomes a model, served on this machine, until Ctrl-C. */
import { stat } from "node:fs/promises"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import { Failure } from "../failure.ts"
import type { Session } from "../terminal/session.ts"
import { serveFolder } from "../terminal/site.ts"

export interface StudioCommandOptions {
  readonly port?: number
  readonly open?: boolean
}

export async function studioCommand(
  session: Session,
  file: string | undefined,
  { port = 0, open = true }: StudioCommandOptions,
): Promise<void> {
  const folder = await built()
  if (file !== undefined) await check(file)
  const name = file === undefined ? undefined : basename(file)
  const site = await serveFolder(folder, {
    port,
    ...(file !== undefined && { also: { [`opened/${name}`]: file } }),
  })
  try {
    const address =
      name === undefined ? site.address : `${site.address}#/data?open=${encodeURIComponent(name)}`
    await session.print(
      `The studio is at ${address}\nEverything is computed in the page; nothing leaves this machine. Ctrl-C ends it.`,
    )
    await session.answer({ command: "studio", address, file: file ?? null })
    if (open) await opened(address, session)
    await new Promise<void>(resolve => {
      if (session.signal.aborted) resolve()
      session.signal.addEventListener("abort", () => resolve())
    })
  } finally {
    await site.close()
  }
}

/** The folder of the page, as its package has it. */
async function built(): Promise<string> {
  const manifest = createRequire(import.meta.url).resolve("suffice-studio/package.json")
  const folder = join(dirname(manifest), "dist")
  if (await stat(join(folder, "index.html")).catch(() => undefined)) return folder
  throw new Failure(
    "file",
    `the studio is not built: ${folder} has no index.html. In a copy of the repository it is made from its sources. Run npm run build -w suffice-studio.`,
    { path: folder },
  )
}

async function check(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined)
  if (found?.isFile()) return
  throw new Failure(
    "file",
    `${JSON.stringify(file)} ${found ? "is no file" : "is not there"}. The studio opens one file. Name it, or leave it out and drop one on the page.`,
    { path: file },
  )
}

/** A browser shows the page where there is one; the address was printed for where there is none. */
async function opened(address: string, session: Session): Promise<void> {
  const { default: open } = await import("open")
  const failed = (): void => session.note("No browser could be opened. Open the address above in one.")
  try {
    const child = await open(address)
    child.once("error", failed)
  } catch {
    failed()
  }
}
