/** Learners by name. */
import { em, type Learner } from "suffice"
import { bayes, onlineEm, sdem } from "suffice/learn"
import { Failure } from "./failure.ts"
import type { LooseFitted } from "./loose.ts"
import type { LEARNERS, LOSSES } from "./options.ts"
import { pause } from "./pause.ts"

export interface LearnerChoice {
  readonly learner?: (typeof LEARNERS)[number]
  readonly loss?: (typeof LOSSES)[number]
  readonly epochs?: number
  readonly restarts?: number
  readonly unlabelled?: number
}

export interface Chosen {
  readonly learner: Learner
  /** In words. */
  readonly name: string
  /** Its steps are passes over the data, whose number is known. */
  readonly byEpochs: boolean
}

/** A loss belongs to sdem; given alone, it selects sdem. `calibrates`: hinge may find a temperature of its own. */
export function chosenLearner(
  { learner, loss, epochs, restarts, unlabelled }: LearnerChoice,
  calibrates = true,
): Chosen {
  const name = learner ?? (loss === undefined ? "em" : "sdem")
  if (loss !== undefined && name !== "sdem") {
    throw new Failure(
      "usage",
      `--loss is given with --learner ${name}. Only sdem minimises a loss; em and online-em maximise the likelihood. Use --learner sdem, or leave --loss out.`,
    )
  }
  if (epochs !== undefined && (name === "em" || name === "bayes")) {
    throw new Failure(
      "usage",
      `--epochs is given with --learner ${name}. It goes over the data until nothing changes. Use --learner online-em or sdem, or leave --epochs out.`,
    )
  }
  if (restarts !== undefined && name !== "em" && name !== "bayes") {
    throw new Failure(
      "usage",
      `--restarts is given with --learner ${name}. Only em and bayes begin several times. Use --learner em, or leave --restarts out.`,
    )
  }
  if (unlabelled !== undefined && name === "sdem") {
    throw new Failure(
      "usage",
      "--unlabelled is given with --learner sdem. It learns p(label | rest), of which rows without a label say nothing: they are left out. Use --learner em or online-em, or leave --unlabelled out.",
    )
  }
  const weight = unlabelled === undefined ? {} : { unlabelled }
  if (name === "em") {
    return {
      learner: breathing(em({ ...(restarts !== undefined && { restarts }), ...weight })),
      name: "EM",
      byEpochs: false,
    }
  }
  if (name === "bayes") {
    return {
      learner: breathing(bayes({ ...(restarts !== undefined && { restarts }), ...weight })),
      name: "a posterior over the parameters (bayes)",
      byEpochs: false,
    }
  }
  const given = epochs === undefined ? {} : { epochs }
  const made =
    name === "online-em"
      ? onlineEm({ ...given, ...weight })
      : sdem({ ...given, ...(loss !== undefined && { loss }), ...(!calibrates && { calibrate: false }) })
  return {
    learner: breathing(made),
    name:
      name === "online-em"
        ? "online EM"
        : `stochastic discriminative EM, ${made.options.loss === "hinge" ? "hinge loss" : "conditional likelihood (NCLL)"}`,
    byEpochs: true,
  }
}

/** The same learner, yielding to signals and the progress bar after each step. */
export function breathing(learner: Learner): Learner {
  return {
    ...learner,
    async *learn(problem, dice, from) {
      for await (const step of learner.learn(problem, dice, from)) {
        yield step
        await pause()
      }
    },
  }
}

/** With nothing hidden EM is counting, and says so. */
export function learnedBy({ training }: LooseFitted, { name }: Chosen): string {
  return training?.runs.some(run => run.stopped === "counted") && training.learner.name === "em"
    ? "counting"
    : name
}
