/** `npm run docs:api`: writes docs/api.md, the tables of options in the pages, and the flags of learners. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { flagsFile, TABLED, withOptions } from "./option-tables.ts"
import { ROOT, read } from "./pages.ts"
import { reference } from "./reference.ts"

const write = (path: string, text: string): void => writeFileSync(join(ROOT, path), text)

write("docs/api.md", reference())
write("packages/cli/src/learner-flags.ts", flagsFile())
for (const page of new Set(TABLED.map(([, page]) => page)))
  write(`docs/${page}`, withOptions(page, read(`docs/${page}`)))
