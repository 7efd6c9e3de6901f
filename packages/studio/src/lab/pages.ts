/** The pages of the lab, by what they are about. Each is a module of its own, loaded when it is opened. */
import type { Component } from "svelte"

/** What pages are about, in the order of the lectures. */
export const LAB_GROUPS = [
  "What is hidden",
  "Counting and believing",
  "Learning to tell apart",
  "Structures",
] as const
export type LabGroup = (typeof LAB_GROUPS)[number]

export interface LabPage {
  /** In the address: #/lab/<id>. */
  readonly id: string
  readonly title: string
  readonly group: LabGroup
  /** What can be seen on it, in a sentence. */
  readonly about: string
  load(): Promise<{ readonly default: Component }>
}

export const LAB_PAGES: readonly LabPage[] = [
  {
    id: "half-lives",
    group: "What is hidden",
    title: "EM on the half-lives",
    about: "A mixture of two normals, step by step, with the lower bound that every step climbs.",
    load: () => import("./pages/HalfLives.svelte"),
  },
  {
    id: "soft-k-means",
    group: "What is hidden",
    title: "Soft k-means",
    about: "Points that belong to several centres at once. Drag the centres to where they begin.",
    load: () => import("./pages/SoftKMeans.svelte"),
  },
  {
    id: "strings",
    group: "What is hidden",
    title: "Patterns in strings",
    about: "Two patterns, copied carelessly and mixed: EM finds both, letter by letter.",
    load: () => import("./pages/StringPatterns.svelte"),
  },
  {
    id: "infinite-log-loss",
    group: "Counting and believing",
    title: "The infinite log-loss, and the cure",
    about: "What was never seen is held impossible, until one more of each is counted.",
    load: () => import("./pages/InfiniteLogLoss.svelte"),
  },
  {
    id: "hoeffding",
    group: "Counting and believing",
    title: "How many rows are enough",
    about: "Maximum likelihood comes as near to the truth as one likes; Hoeffding's bound says when.",
    load: () => import("./pages/Hoeffding.svelte"),
  },
  {
    id: "posterior",
    group: "Counting and believing",
    title: "Prior, posterior, predictive",
    about: "Rows come one by one, and what is believed of the mean and of the next row moves.",
    load: () => import("./pages/Posterior.svelte"),
  },
  {
    id: "discriminant",
    group: "Learning to tell apart",
    title: "Discriminant analysis is a logistic curve",
    about: "Two normals of one spread, counted, and the logistic regression that they equal.",
    load: () => import("./pages/Discriminant.svelte"),
  },
  {
    id: "spam",
    group: "Learning to tell apart",
    title: "Spam, word by word",
    about: "Naive Bayes reads a message that you write: every word moves the odds.",
    load: () => import("./pages/Spam.svelte"),
  },
  {
    id: "rows-grow",
    group: "Learning to tell apart",
    title: "Counting or climbing, as rows grow",
    about: "Naive Bayes is ahead while rows are few, logistic regression when they are many.",
    load: () => import("./pages/RowsGrow.svelte"),
  },
  {
    id: "toy",
    group: "Learning to tell apart",
    title: "The toy of the slides",
    about: "Drag the clouds: maximum likelihood, conditional likelihood and hinge move the same two normals.",
    load: () => import("./pages/Toy.svelte"),
  },
  {
    id: "holes",
    group: "Learning to tell apart",
    title: "Learned to tell apart, with holes",
    about: "Half a row says half as much, and sdEM knows how much. Lose cells and see.",
    load: () => import("./pages/Holes.svelte"),
  },
  {
    id: "hidden-states",
    group: "Structures",
    title: "Hidden states, as they are decoded",
    about: "Earthquakes year by year: what is believed so far, and the best path to every state.",
    load: () => import("./pages/HiddenStates.svelte"),
  },
  {
    id: "topics",
    group: "Structures",
    title: "Topics on a board",
    about: "Words are squares, topics rows and columns. EM is shown crosses, and finds the bars.",
    load: () => import("./pages/Topics.svelte"),
  },
  {
    id: "network",
    group: "Structures",
    title: "Rain or sprinkler: seeing and doing",
    about: "A Bayesian network that answers whatever is seen, and what would be if something were done.",
    load: () => import("./pages/Network.svelte"),
  },
]
