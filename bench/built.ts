/** The built command of this repository. */
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Stop } from "./stop.ts"

export function builtCommand(): string {
  if (!existsSync(new URL("../packages/cli/dist/main.js", import.meta.url)))
    throw new Stop("The command is not built. Run npm run build first.")
  return fileURLToPath(new URL("../packages/cli/bin/suffice.js", import.meta.url))
}
