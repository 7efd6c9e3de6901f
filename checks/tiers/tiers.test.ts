import { relative } from "node:path"
import { expect, test } from "vitest"
import type { TestProjectInlineConfiguration } from "vitest/config"
import config from "../../vitest.config.ts"
import { fits, groups, groupsOf, onBothKernels, ROOT, shared, testFiles, tierOf } from "./tiers.ts"

const files = testFiles()
const projects = config.test!.projects as TestProjectInlineConfiguration[]
/** The names of the projects that run a file, without the second kernels. */
const runBy = (path: string): string[] =>
  projects
    .filter(({ test }) => test!.name !== "typescript" && test!.include!.includes(path))
    .map(({ test }) => String(test!.name).replace("-shared", ""))

test("every test file is run by exactly one tier, and shared ones by both", () => {
  expect(files).toContain(relative(ROOT, import.meta.filename))
  for (const path of files) {
    const isShared = shared.some(({ file }) => file === path)
    const tiers = isShared ? ["test", "all"] : tierOf(path) === "spark" ? [] : [tierOf(path)]
    expect(runBy(path), path).toEqual(tiers)
    expect(groupsOf(path).length, path).toBeLessThanOrEqual(1)
  }
})

test("a file that no group names runs in npm test", () => {
  expect(tierOf("packages/suffice/src/families/new.test.ts")).toBe("test")
  expect(tierOf("packages/another/src/a.test.ts")).toBe("test")
})

test("every glob and every shared file is there", () => {
  const globs = [...groups.flatMap(group => group.globs), ...onBothKernels]
  const all = globs.flatMap(glob => (/\{/.test(glob) ? alternatives(glob) : [glob]))
  expect(all.filter(glob => !files.some(path => fits(path, glob)))).toEqual([])
  expect(shared.filter(({ file }) => !files.includes(file) || groupsOf(file).length > 0)).toEqual([])
})

/** One glob for each name in braces. */
function alternatives(glob: string): string[] {
  const [, before, names, after] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(glob)!
  return names.split(",").map(name => before + name + after)
}

test.each([
  ["packages/cli/src/a.test.ts", "packages/*/src/**/*.test.ts", true],
  ["packages/cli/src/a/b/c.test.ts", "packages/*/src/**/*.test.ts", true],
  ["packages/cli/src/a/c.test.ts", "packages/*/src/*.test.ts", false],
  ["packages/cli/src/aXtest.ts", "packages/*/src/*.test.ts", false],
  ["a/c.test.ts", "a/{b,c}.test.ts", true],
  ["a/bc.test.ts", "a/{b,c}.test.ts", false],
])("%s fits %s: %s", (path, glob, expected) => {
  expect(fits(path, glob)).toBe(expected)
})
