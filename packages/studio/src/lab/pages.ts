/** The pages of the lab, in the order of the lectures. Each is a module of its own, loaded when it is opened. */
import type { Component } from "svelte"

export interface LabPage {
  /** In the address: #/lab/<id>. */
  readonly id: string
  readonly title: string
  /** What can be seen on it, in a sentence. */
  readonly about: string
  load(): Promise<{ readonly default: Component }>
}

export const LAB_PAGES: readonly LabPage[] = [
  {
    id: "hoeffding",
    title: "How many rows are enough",
    about: "Hoeffding's bound: how far a mean of n rows may be from what it estimates, and how far it is.",
    load: () => import("./pages/Hoeffding.svelte"),
  },
]
