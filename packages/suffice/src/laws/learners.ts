/** The learners the laws walk. A new one is one entry here. */
import type { Description, Learner } from "../contract.ts"
import { em } from "../index.ts"

export interface LearnerSpecimen {
  readonly name: string
  /** Does its objective never fall? */
  readonly climbs: boolean
  /** The strength of the prior in what it climbs. */
  readonly prior: number
  make(options: { readonly steps?: number; readonly start?: Description | undefined }): Learner
}

/** EM with a prior of this strength. */
export function emWith(name: string, prior: number): LearnerSpecimen {
  return {
    name,
    climbs: true,
    prior,
    make: ({ steps = 12, start }) => em({ prior, maxIterations: steps, tolerance: 0, start }),
  }
}

export const learners: readonly LearnerSpecimen[] = [emWith("em, MAP", 1), emWith("em, ML", 0)]
