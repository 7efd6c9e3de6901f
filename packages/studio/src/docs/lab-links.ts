/** Which experiments of the lab show what a page of the documentation is about: by the page's path, the ids of the lab's pages. */
export const LAB_OF: Readonly<Record<string, readonly string[]>> = {
  "models/mixtures": ["half-lives", "soft-k-means"],
  "models/discriminant-analysis": ["discriminant", "toy"],
  "models/levels": ["infinite-log-loss", "hoeffding"],
  "models/numbers": ["posterior", "toy"],
  "models/structures": ["half-lives", "toy"],
  "learners/em": ["half-lives", "soft-k-means"],
  "learners/bayes": ["posterior"],
  "learners/sdem": ["toy"],
  "learners/baselines": ["discriminant"],
}

/** The other way round: where one reads about an experiment. */
export function pagesAbout(experiment: string): string[] {
  return Object.keys(LAB_OF).filter(page => LAB_OF[page].includes(experiment))
}
