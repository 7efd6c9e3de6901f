// biome-ignore-all format: written by a script
/** Options of learners that are flags of the command. Written by `npm run docs:api` from the tables of options. */
import type { LearnerFlag } from "./options.ts"

export const LEARNER_FLAGS = [
  {
    option: "loss",
    flag: "--loss <name>",
    help: "of sdem: ncll (logistic) or hinge (max-margin)",
    learners: ["sdem"],
    value: ["ncll", "hinge"],
  },
  {
    option: "epochs",
    flag: "--epochs <n>",
    help: "passes over the data, of online-em and sdem",
    learners: ["online-em", "sdem"],
    value: "whole",
  },
  {
    option: "restarts",
    flag: "--restarts <n>",
    help: "beginnings to choose from, of em and bayes",
    learners: ["em", "bayes"],
    value: "whole",
  },
  {
    option: "unlabelled",
    flag: "--unlabelled <weight>",
    help: "what a row without a label counts, of em, online-em and bayes, from 0 to 1 (default: chosen on labelled rows)",
    learners: ["em", "online-em", "bayes"],
    value: "share",
  },
] as const satisfies readonly LearnerFlag[]
