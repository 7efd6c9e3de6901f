/** Learners by name. */
import { em, type Learner } from "suffice"
import { bayes, onlineEm, sdem } from "suffice/learn"
import { Failure } from "./failure.ts"
import { LEARNER_FLAGS } from "./learner-flags.ts"
import type { LooseFitted } from "./loose.ts"
import { type LEARNERS, nameOf } from "./options.ts"
import { pause } from "./pause.ts"

type LearnerName = (typeof LEARNERS)[number]
type Flag = (typeof LEARNER_FLAGS)[number]
type ValueOf<F extends Flag> = F["value"] extends readonly (infer Word)[] ? Word : number
type Flags = { readonly [F in Flag as F["option"]]?: ValueOf<F> }

export interface LearnerChoice extends Flags {
  readonly learner?: LearnerName
}

export interface Chosen {
  readonly learner: Learner
  /** In words. */
  readonly name: string
  /** Its steps are passes over the data, whose number is known. */
  readonly byEpochs: boolean
}

/** Reasons why a flag does not apply to a learner; others are listed with the learners that have it. */
const MISPLACED: { readonly [Option in keyof Flags]: string } = {
  loss: "Only sdem minimises a loss; em and online-em maximise the likelihood. Use --learner sdem, or leave --loss out.",
  epochs:
    "It goes over the data until nothing changes. Use --learner online-em or sdem, or leave --epochs out.",
  restarts: "Only em and bayes begin several times. Use --learner em, or leave --restarts out.",
  unlabelled:
    "It learns p(label | rest), of which rows without a label say nothing: they are left out. Use --learner em or online-em, or leave --unlabelled out.",
}

/** True if a learner or one of its options is given. */
export function isLearnerGiven(options: LearnerChoice): boolean {
  return options.learner !== undefined || LEARNER_FLAGS.some(({ option }) => options[option] !== undefined)
}

/** The given options of a learner; throws on options of others. */
function optionsOf(name: LearnerName, options: LearnerChoice): Flags {
  const given = LEARNER_FLAGS.filter(({ option }) => options[option] !== undefined)
  for (const flag of given) {
    const learners: readonly LearnerName[] = flag.learners
    if (learners.includes(name)) continue
    const typed = nameOf(flag)
    const reason =
      MISPLACED[flag.option] ??
      `It is an option of ${learners.join(", ")}. Use --learner ${learners[0]}, or leave ${typed} out.`
    throw new Failure("usage", `${typed} is given with --learner ${name}. ${reason}`)
  }
  return Object.fromEntries(given.map(({ option }) => [option, options[option]]))
}

/** A loss belongs to sdem; given alone, it selects sdem. `calibrates`: hinge may find a temperature of its own. */
export function chosenLearner(options: LearnerChoice, calibrates = true): Chosen {
  const name = options.learner ?? (options.loss === undefined ? "em" : "sdem")
  const given = optionsOf(name, options)
  switch (name) {
    case "em":
      return { learner: breathing(em(given)), name: "EM", byEpochs: false }
    case "bayes":
      return {
        learner: breathing(bayes(given)),
        name: "a posterior over the parameters (bayes)",
        byEpochs: false,
      }
    case "online-em":
      return { learner: breathing(onlineEm(given)), name: "online EM", byEpochs: true }
    case "sdem": {
      const learner = sdem({ ...given, ...(!calibrates && { calibrate: false }) })
      const loss = learner.options.loss === "hinge" ? "hinge loss" : "conditional likelihood (NCLL)"
      return {
        learner: breathing(learner),
        name: `stochastic discriminative EM, ${loss}`,
        byEpochs: true,
      }
    }
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
