/** How the learning went, each objective apart: that of a first guess by EM is not that of the learner which goes on from it. */
import type { Training } from "suffice"
import type { BasisAnswer } from "./answers.ts"
import { plain } from "./format.ts"
import type { LooseFitted } from "./loose.ts"

export interface StageAnswer {
  readonly name: string
  /** What is climbed. */
  readonly objective: string
  readonly trace: readonly number[]
}

export interface TrainingAnswer {
  readonly stages: readonly StageAnswer[]
  /** Every start of the learner. */
  readonly runs: Training["runs"]
  /** The run that was kept. */
  readonly run: number
}

export function trainingAnswer({ learner, trace, iterations, runs, run }: Training): TrainingAnswer {
  const ofEm = "log-likelihood + ln prior"
  if (learner.name !== "sdem") {
    const objective = learner.name === "em" ? ofEm : (CLIMBED[learner.name] ?? "what it climbs")
    return { stages: [{ name: nameOf(learner), objective, trace }], runs, run }
  }
  const own = Math.min(iterations, trace.length)
  const stages = [
    { name: "EM, the first guess", objective: ofEm, trace: trace.slice(0, trace.length - own) },
    {
      name: nameOf(learner),
      objective: "minus the loss over an epoch",
      trace: trace.slice(trace.length - own),
    },
  ]
  return { stages: stages.filter(stage => stage.trace.length > 0), runs, run }
}

const NAMES: Readonly<Record<string, string>> = {
  em: "EM",
  onlineEm: "online EM",
  sdem: "sdEM",
  bayes: "Variational Bayes",
}
const CLIMBED: Readonly<Record<string, string>> = {
  onlineEm: "log-likelihood of a pass",
  bayes: "lower bound of the log evidence (ELBO)",
}

function nameOf({ name, options }: Training["learner"]): string {
  const loss = typeof options.loss === "string" ? `, ${options.loss === "ncll" ? "NCLL" : options.loss}` : ""
  return `${NAMES[name] ?? name}${loss}`
}

/** "from −120.3 to −98.1": what a stage climbed. */
export function climbText(trace: readonly number[]): string {
  return `from ${plain(trace[0], 6)} to ${plain(trace.at(-1)!, 6)}`
}

/** What a model rests on; whether it is calibrated is asked of labels. */
export function basisOf(fitted: LooseFitted): BasisAnswer {
  const { uses, target } = fitted.model
  const isLabel = uses.some(use => use.column === target && use.role === "label")
  return {
    rows: fitted.training?.rows ?? 0,
    free: fitted.free,
    ...(isLabel && { calibrated: fitted.toJSON().calibration !== undefined }),
  }
}
