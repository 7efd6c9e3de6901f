/** The order of the tests: what takes long begins first, so that no core waits for another at the end; then those that have a process of their own. */
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Those of ten seconds and more, longest first. */
const SLOW = [
  "laws/laws.test.ts",
  "laws/faults.test.ts",
  "checks/testing/check.test.ts",
  "gates/docs.test.ts",
  "gates/package.test.ts",
  "testing/manifest.test.ts",
  "threads/threads.test.ts",
  "saved/checkpoint.test.ts",
  "check/commands.test.ts",
  "check/installed.test.ts",
  "start/start.test.ts",
  "report/report.test.ts",
  "gates/allocation.test.ts",
]

function rank({ moduleId, project }: TestSpecification): number {
  const place = SLOW.findIndex(path => moduleId.endsWith(path))
  if (place >= 0) return place
  return project.name === "shared" ? SLOW.length + 1 : SLOW.length
}

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.sort((a, b) => rank(a) - rank(b) || (a.moduleId < b.moduleId ? -1 : 1))
  }
}
