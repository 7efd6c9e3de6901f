/** A node for workers that holds the next sweep where it begins, until it is let go: what happens in the middle of a sweep happens there, however busy the machine is. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { until } from "./processes.ts"

export interface HeldWorker {
  /** For `spark(address, { node })`. */
  readonly node: string
  /** The next worker that sweeps is held. */
  hold(): void
  /** Waits until it is, and says its process. */
  held(): Promise<number>
  letGo(): void
  end(): void
}

export function heldWorker(): HeldWorker {
  const folder = mkdtempSync(join(tmpdir(), "suffice-held-"))
  const [node, next, held, go] = ["node.sh", "next", "held", "go"].map(name => join(folder, name))
  writeFileSync(
    node,
    `#!/bin/sh
if [ "$2" = sweep ] && rm "${next}" 2> /dev/null; then
  echo $$ > "${held}.part" && mv "${held}.part" "${held}"
  while [ -d "${folder}" ] && [ ! -e "${go}" ]; do sleep 0.1; done
fi
exec "${process.execPath}" "$@"
`,
  )
  chmodSync(node, 0o755)
  return {
    node,
    hold() {
      for (const file of [held, go]) rmSync(file, { force: true })
      writeFileSync(next, "")
    },
    async held() {
      await until(() => existsSync(held))
      return Number(readFileSync(held, "utf8"))
    },
    letGo: () => writeFileSync(go, ""),
    end: () => rmSync(folder, { recursive: true, force: true }),
  }
}
