/** `npm run docs:api`: writes the files that follow from the list of families. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { generated, ROOT } from "./generated.ts"

for (const [path, text] of Object.entries(generated())) writeFileSync(join(ROOT, path), text)
