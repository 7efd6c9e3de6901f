/**
 * The jobs of the race, as data: what both sides do, on which rows, and what is expected of the ratio theirs / ours. Each side reads
 * its job by `kind` and `size`: ours.ts, peers.py, npm-peers.mjs.
 */
export interface Job {
  readonly name: string
  readonly kind: string
  readonly peer: "scikit-learn" | "LIBLINEAR" | "ml-naivebayes" | "natural" | "wink" | "data-analysis-models"
  readonly size: Size
  /** Of both sides. */
  readonly threads: number
  /** What is timed. */
  readonly timed: string
  /** What is compared before anything is timed, and how far it may differ. */
  readonly same: string
  readonly tolerance: number
  /** theirs / ours, at least. */
  readonly bar: number
}

export interface Size {
  readonly rows: number
  readonly columns: number
  readonly classes: number
  readonly corpus?: "20ng" | "imdb"
}

const size = (rows: number, columns: number, classes: number): Size => ({ rows, columns, classes })
const corpus = (corpus: "20ng" | "imdb"): Size => ({ rows: 0, columns: 0, classes: 0, corpus })

const POSTERIORS = "posteriors of 1,000 rows"
const DOCUMENTS = "posteriors of 100 documents"
const LABELS = "share of labels that differ"

function mixture(covariance: "full" | "diag", columns: number, threads: number, bar: number): Job {
  return {
    name: `mixture, ${covariance}, d=${columns}${threads > 1 ? `, ${threads} threads` : ""}`,
    kind: `mixture-${covariance}`,
    peer: "scikit-learn",
    size: size(200_000, columns, 8),
    threads,
    timed: "one EM iteration, k=8, from the same start",
    same: "weights and means after all iterations",
    tolerance: 1e-6,
    bar,
  }
}

const alone = { threads: 1 }
const sklearn = { ...alone, peer: "scikit-learn", same: POSTERIORS, tolerance: 1e-6 } as const
const npm = { ...alone, timed: "fit + predict", same: LABELS, bar: 20 } as const
/** Of the npm packages some hold every word for every document, some do not: what the ratio is depends on how many there are. */
const VOCABULARIES = [500, 5000]
const table = size(200_000, 50, 5)

export const JOBS: readonly Job[] = [
  mixture("full", 8, 1, 4),
  mixture("full", 32, 1, 3),
  mixture("diag", 8, 1, 2),
  mixture("diag", 32, 1, 1.8),
  mixture("full", 8, 2, 6),
  mixture("full", 32, 2, 4.5),
  mixture("diag", 8, 2, 4),
  mixture("diag", 32, 2, 3.5),
  {
    ...sklearn,
    name: "Gaussian naive Bayes: fit",
    kind: "gaussian-fit",
    size: table,
    timed: "fit",
    bar: 2.5,
  },
  {
    ...sklearn,
    name: "Gaussian naive Bayes: posterior",
    kind: "gaussian-posterior",
    size: table,
    timed: "posterior of all rows",
    bar: 2,
  },
  {
    ...sklearn,
    name: "LDA",
    kind: "lda",
    size: table,
    timed: "fit + predict",
    bar: 1.5,
  },
  {
    ...sklearn,
    name: "QDA",
    kind: "qda",
    size: table,
    timed: "fit + predict",
    // it divides by n − 1, we by n
    tolerance: 1e-3,
    bar: 1.5,
  },
  {
    ...sklearn,
    name: "multinomial: fit, from counts",
    kind: "multinomial-fit",
    size: corpus("20ng"),
    same: DOCUMENTS,
    timed: "fit; sparse counts are made before (ours: encoded)",
    bar: 3,
  },
  {
    ...sklearn,
    name: "multinomial: fit, from text",
    kind: "multinomial-fit-text",
    size: corpus("20ng"),
    same: DOCUMENTS,
    timed: "text to fitted model",
    bar: 3,
  },
  {
    ...sklearn,
    name: "multinomial: posterior of all, from counts",
    kind: "multinomial-posterior",
    size: corpus("20ng"),
    same: DOCUMENTS,
    timed: "posterior of all documents; sparse counts are made before (ours: encoded)",
    bar: 1.5,
  },
  {
    ...sklearn,
    name: "multinomial: posterior of all, from text",
    kind: "multinomial-posterior-text",
    size: corpus("20ng"),
    same: DOCUMENTS,
    timed: "text to posterior of all documents",
    bar: 1.5,
  },
  {
    ...sklearn,
    name: "multinomial: posterior of one document, from counts",
    kind: "multinomial-one",
    size: corpus("20ng"),
    same: DOCUMENTS,
    timed: "200 documents one by one; sparse counts are made before (ours: encoded)",
    bar: 100,
  },
  {
    ...sklearn,
    name: "multinomial: posterior of one document, from counts by word",
    kind: "multinomial-one-words",
    size: corpus("20ng"),
    same: DOCUMENTS,
    timed:
      "200 documents one by one; theirs a row of the sparse matrix, ours a Map of counts by word, through `posterior`",
    bar: 100,
  },
  {
    ...sklearn,
    name: "Bernoulli naive Bayes, sparse",
    kind: "bernoulli",
    size: size(200_000, 30, 5),
    timed: "fit + predict; theirs a sparse matrix, ours the same as sparse(…), made before",
    bar: 2,
  },
  {
    ...sklearn,
    name: "categorical naive Bayes",
    kind: "categorical",
    size: size(200_000, 30, 5),
    timed: "fit + predict",
    bar: 2,
  },
  {
    ...sklearn,
    name: "one epoch, hinge",
    kind: "epoch-hinge",
    size: corpus("20ng"),
    timed: "an epoch of sdem() at its defaults; of SGDClassifier, same loss, same words",
    same: "nothing: two algorithms; bench/studies/text.md has the accuracies",
    tolerance: Number.POSITIVE_INFINITY,
    bar: 1.5,
  },
  {
    ...sklearn,
    name: "one epoch, NCLL",
    kind: "epoch-ncll",
    size: corpus("20ng"),
    timed: "an epoch of sdem() at its defaults; of SGDClassifier, same loss, same words",
    same: "nothing: two algorithms; bench/studies/text.md has the accuracies",
    tolerance: Number.POSITIVE_INFINITY,
    bar: 1,
  },
  ...(["20ng", "imdb"] as const).map(
    (name): Job => ({
      ...alone,
      name: `a default fit, ${name}`,
      kind: "default-fit",
      peer: "LIBLINEAR",
      size: corpus(name),
      timed: "file to fitted model: sdem(); L2-loss SVM (-s 1 -c 1 -B 1) on log tf-idf of length 1",
      same: "accuracy on the test rows, ours at least theirs − 0.003",
      tolerance: 0.003,
      bar: 2,
    }),
  ),
  {
    ...npm,
    name: "ml-naivebayes: GaussianNB",
    kind: "gaussian-labels",
    peer: "ml-naivebayes",
    // it looks at the first two columns, however many there are
    size: size(20_000, 2, 3),
    tolerance: 1e-3,
  },
  ...VOCABULARIES.map(
    (words): Job => ({
      ...npm,
      name: `ml-naivebayes: MultinomialNB, ${words} words`,
      kind: "multinomial-labels",
      peer: "ml-naivebayes",
      size: size(2000, words, 4),
      timed: "fit + predict; theirs vectors of counts, ours the same as sparse(…), both made before",
      tolerance: 0,
    }),
  ),
  ...VOCABULARIES.map(
    (words): Job => ({
      ...npm,
      name: `natural: BayesClassifier, ${words} words`,
      kind: "natural",
      peer: "natural",
      size: size(2000, words, 4),
      tolerance: 0.02,
    }),
  ),
  ...VOCABULARIES.map(
    (words): Job => ({
      ...npm,
      name: `wink-naive-bayes-text-classifier, ${words} words`,
      kind: "wink",
      peer: "wink",
      size: size(2000, words, 4),
      tolerance: 0.02,
    }),
  ),
  {
    ...npm,
    name: "data-analysis-models: NaiveBayes",
    kind: "gaussian-labels",
    peer: "data-analysis-models",
    size: size(20_000, 10, 3),
    tolerance: 1e-3,
  },
  {
    ...npm,
    name: "data-analysis-models: CategoricalNaiveBayes",
    kind: "categorical-labels",
    peer: "data-analysis-models",
    size: size(20_000, 10, 3),
    tolerance: 1e-3,
  },
  {
    ...npm,
    name: "data-analysis-models: QuadraticDiscriminant",
    kind: "qda-labels",
    peer: "data-analysis-models",
    size: size(20_000, 8, 3),
    tolerance: 1e-3,
  },
  {
    ...npm,
    name: "data-analysis-models: GMM",
    kind: "mixture-full",
    peer: "data-analysis-models",
    size: size(5000, 4, 4),
    timed: "one EM iteration, from the same start",
    same: "weights and means after all iterations",
    tolerance: 1e-6,
  },
]

/** The memory of this job is held against its peer's: at most so much of it. */
export const MEMORY = { job: "mixture, full, d=32", bar: 0.5 }
/** Ten times the rows take us at most so many times the time. */
export const ROWS = { kind: "mixture-full", size: size(100_000, 8, 8), bar: 11 }

/** Reduced: a smoke test of the race, not a measurement. */
export function quick(size: Size): Size {
  return { ...size, rows: Math.min(size.rows, 12_000) }
}
