/** Which experiments of the lab show what a page of the documentation is about: by the page's path, the ids of the lab's pages. */
export const LAB_OF: Readonly<Record<string, readonly string[]>> = {
  "models/mixtures": ["half-lives", "soft-k-means", "strings"],
  "models/discriminant-analysis": ["discriminant", "toy"],
  "models/naive-bayes": ["spam", "rows-grow"],
  "models/bags-of-words": ["spam"],
  "models/levels": ["infinite-log-loss", "hoeffding", "strings"],
  "models/numbers": ["posterior", "toy"],
  "models/normal": ["holes"],
  "models/chain": ["hidden-states"],
  "models/hidden-markov-models": ["hidden-states"],
  "models/network": ["network"],
  "models/topics": ["topics"],
  "models/structures": ["half-lives", "toy", "network"],
  "learners/em": ["half-lives", "soft-k-means", "strings"],
  "learners/bayes": ["posterior"],
  "learners/sdem": ["toy", "holes"],
  "learners/baselines": ["discriminant", "rows-grow"],
  "tutorials/spam": ["spam"],
  "tutorials/holes": ["holes"],
  "tutorials/states-of-a-series": ["hidden-states"],
  "tutorials/topics": ["topics"],
  "tutorials/causes": ["network"],
  "tutorials/clusters": ["half-lives", "soft-k-means"],
}

/** The other way round: where one reads about an experiment. */
export function pagesAbout(experiment: string): string[] {
  return Object.keys(LAB_OF).filter(page => LAB_OF[page].includes(experiment))
}
