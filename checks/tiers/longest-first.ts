/** The order of the tests: the longest first by the recorded durations, so that no core waits for the last file. */
import { readFileSync } from "node:fs"
import { relative } from "node:path"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { ROOT } from "./tiers.ts"

/** Processor seconds of each file by project, written by the recorder. */
export type Durations = Readonly<Record<string, Readonly<Record<string, number>>>>

export const DURATIONS = new URL("../durations.json", import.meta.url)

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const durations = JSON.parse(readFileSync(DURATIONS, "utf8")) as Durations
    // a file without a record may be long
    const seconds = ({ moduleId, project }: TestSpecification): number =>
      durations[project.name]?.[relative(ROOT, moduleId).replaceAll("\\", "/")] ?? Number.POSITIVE_INFINITY
    // a process takes its next file only from its own project: shared ones come last, project by project
    const place = ({ project }: TestSpecification): string => (project.config.isolate ? "" : project.name)
    return files.sort((a, b) => {
      if (place(a) !== place(b)) return place(a) < place(b) ? -1 : 1
      const [first, second] = [seconds(a), seconds(b)]
      return first === second ? (a.moduleId < b.moduleId ? -1 : 1) : second - first
    })
  }
}
