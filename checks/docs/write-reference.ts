/** `npm run docs:api`: writes docs/api.md. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { ROOT } from "./pages.ts"
import { reference } from "./reference.ts"

writeFileSync(join(ROOT, "docs/api.md"), reference())
