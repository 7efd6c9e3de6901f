/** `npm run check`, as a test: types and lint take one core, and the tests the other. */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))

/** What a program of node_modules says and how it ends. */
async function run(program: string, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [join(ROOT, "node_modules", program), ...args], { cwd: ROOT })
  let said = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", text => {
      said += text
    })
  }
  const code = await new Promise(resolve => child.on("close", resolve))
  return code === 0 ? "" : `${said}\nended with ${code}`
}

test("every file has the types it says", async () => {
  expect(await run("typescript-7/bin/tsc", "--noEmit", "-p", "tsconfig.json", "--pretty", "false")).toBe("")
})

test("every file of the studio has the types it says, and no warning of Svelte", async () => {
  const config = ["--tsconfig", "packages/studio/tsconfig.json", "--fail-on-warnings"]
  expect(await run("svelte-check/bin/svelte-check", ...config)).toBe("")
})

test("every file is formatted and free of lint", async () => {
  expect(await run("@biomejs/biome/bin/biome", "check", "--error-on-warnings", ".")).toBe("")
})

test.each(["suffice", "laws", "files", "studio", "cli"])(
  "the manifest of packages/%s says what it is and where it comes from",
  name => {
    const manifest = JSON.parse(readFileSync(join(ROOT, "packages", name, "package.json"), "utf8"))
    expect(manifest).toMatchObject({
      description: expect.stringMatching(/./),
      license: "MIT",
      repository: { type: "git", directory: `packages/${name}` },
      homepage: expect.stringMatching(/^https:/),
      bugs: expect.stringMatching(/^https:/),
      keywords: expect.arrayContaining(["machine-learning"]),
    })
  },
)
