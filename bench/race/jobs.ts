/**
 * The jobs of the race, as data: what both sides do, on which rows, and what is expected of the ratio theirs / ours. Each side reads
 * its job by `kind` and `size`: ours.ts, peers.py, npm-peers.mjs. Long because it is the list.
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
  /** Where the bar is missed: what the profile says, and what would close it. */
  readonly closing?: string
}

export interface Size {
  readonly rows: number
  readonly columns: number
  readonly classes: number
  readonly corpus?: "20ng" | "imdb"
}

const size = (rows: number, columns: number, classes: number): Size => ({ rows, columns, classes })
const corpus = (corpus: "20ng" | "imdb"): Size => ({ rows: 0, columns: 0, classes: 0, corpus })

/** A profile of our side on so many rows, this share of it in data/. By Amdahl's law the rest bounds what a faster door can give. */
const door = (percent: number, rows = 200_000): string =>
  `in a profile of ${rows.toLocaleString("en")} rows ${percent} % of our time is in the door (data/: cell by cell through a function per column, in two passes); all else the same, a door that costs nothing would make this ${(100 / (100 - percent)).toFixed(1)} times as fast. To try: reading typed columns whole, in loops of their own.`

/** Where the time of a default fit goes. */
const FITS = {
  "20ng":
    "of our time 3 % is reading the file, 28 % the door and counting, 69 % ten epochs. The accuracy is that of conditional likelihood; hinge comes nearer (bench/text.md). The bar asks for less time than the door and two epochs take.",
  imdb: "of our time 10 % is reading the file, 41 % the door and counting, 49 % ten epochs: the bar is met where the door and the epochs both take two thirds of what they do.",
} as const

/** Of fit + predict on lists of words. */
const LISTS =
  "a third of our time is in finding the words of lists in the vocabulary, letter by letter, once for fit and once for predict; 11 to 14 % in sorting bags, 10 to 12 % in the garbage collector, 5 % in scores. Where the bar leaves 3 to 4 ms (wink), finding 160,000 words takes longer than that: a string is known by its letters or its hash, either of which costs some 25 ns."

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
    ...(threads > 1 && { closing: WORKERS }),
  }
}

/** CPU time of the sweeps of one fit, mixture, diag, d=8, two threads; the race measures the third and the fourth. */
const WORKERS =
  "workers begin with every fit, and their engines compile what is hot in the first sweeps. Of diag, d=8, sweep by sweep, both threads together take 44, 39, 33, 32, 33, 30, 25, 26 ms of the processor, one thread that is warm 24 (on a machine that was not idle): there, warm workers would be 1.3 times as fast. To try: workers that outlive a fit."

/** Behind the door: what is left of a discriminant once data/ costs nothing. */
const discriminant = (percent: number, kernels: number, rest: string): string =>
  `in a profile of 200,000 rows ${percent} % of our time is in the door (data/), ${kernels} % in the kernels and the copies into them, ${rest}. To try: a door that costs less; then scores and sums that are left come near what two doubles per register can do (17 to 18 of some 20 GFLOP/s), and only more threads, or wider registers in WebAssembly, would help further.`

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
    closing: door(70),
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
    closing: discriminant(54, 18, "7 % in fitted/posterior.ts, 6 % in collecting garbage"),
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
    closing: discriminant(46, 29, "6 % in fitted/posterior.ts, 7 % in collecting garbage"),
  },
  {
    ...sklearn,
    name: "multinomial: fit, from counts",
    kind: "multinomial-fit",
    size: corpus("20ng"),
    same: DOCUMENTS,
    timed: "fit; sparse counts are made before (ours: behind the door)",
    bar: 3,
    closing:
      "17 % of our time is in counting (WebAssembly), 26 % in logarithms and totals, 14 % in adding chunks, 15 % in adding the prior, 13 % in the garbage collector. Three arrays of 8.8 MB are made anew, and first touching the pages of each costs about 3 ms. To try: statistics, prior and parameters in memory that is used again from fit to fit.",
  },
  {
    ...sklearn,
    name: "multinomial: fit, from text",
    kind: "multinomial-fit-text",
    size: corpus("20ng"),
    same: DOCUMENTS,
    timed: "text to fitted model",
    bar: 3,
    closing:
      "23 % of our time is in finding words in bytes, 10 % in recoding and sorting bags, 12 % in putting the vocabulary in order and making strings of it, 20 % in solving, adding the prior and the value (the parameters are solved three times, before and after counting and in the fitted model), 7 % in the garbage collector. To try: the scan in WebAssembly, parameters handed from the learner to the fitted model.",
  },
  {
    ...sklearn,
    name: "multinomial: posterior of all, from counts",
    kind: "multinomial-posterior",
    size: corpus("20ng"),
    same: DOCUMENTS,
    timed: "posterior of all documents; sparse counts are made before (ours: behind the door)",
    bar: 1.5,
    closing:
      "63 % of our time is in scores (WebAssembly), which wait for memory: with 1,000 words, whose parameters fit the cache, they take half as long; 25 % is in exponentials. To try: words numbered by how frequent they are, so that those of most documents lie together; exponentials two at a time.",
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
    name: "multinomial: posterior of one document",
    kind: "multinomial-one",
    size: corpus("20ng"),
    same: DOCUMENTS,
    timed: "200 documents one by one; theirs a row of the sparse matrix, ours counts by word",
    bar: 100,
    closing:
      "of our time below `posterior`, 50 % is in walking the counts and finding their words, 9 % in scores (WebAssembly), 6 % in sorting the bag, 5 % in the garbage collector. Of a document's 105 counts by word, Object.keys and reading them alone take 7 µs of the 12 that the bar leaves.",
  },
  {
    ...sklearn,
    name: "Bernoulli naive Bayes, sparse",
    kind: "bernoulli",
    size: size(200_000, 30, 5),
    timed: "fit + predict",
    bar: 2,
    closing: door(67),
  },
  {
    ...sklearn,
    name: "categorical naive Bayes",
    kind: "categorical",
    size: size(200_000, 30, 5),
    timed: "fit + predict",
    bar: 2,
    closing: door(74),
  },
  {
    ...sklearn,
    name: "one epoch, hinge",
    kind: "epoch-hinge",
    size: corpus("20ng"),
    timed: "an epoch of sdem() at its defaults; of SGDClassifier, same loss, same words",
    same: "nothing: two algorithms; bench/text.md has the accuracies",
    tolerance: Number.POSITIVE_INFINITY,
    bar: 1.5,
    closing:
      "in a profile 25 % of our time is in scores (on words that are in the cache the same kernel takes a third of it: the rest is waiting for memory), 11 % in gathering the rows of mini-batches, 14 % in the statistics that every epoch hands out and in clearing them away, 7 % in logarithms when an epoch is settled, 6 % in moving words, two to three times that in the first epochs, when more rows are within the margin. To try: reading documents where they stand, and statistics of a step only when they are asked for.",
  },
  {
    ...sklearn,
    name: "one epoch, NCLL",
    kind: "epoch-ncll",
    size: corpus("20ng"),
    timed: "an epoch of sdem() at its defaults; of SGDClassifier, same loss, same words",
    same: "nothing: two algorithms; bench/text.md has the accuracies",
    tolerance: Number.POSITIVE_INFINITY,
    bar: 1,
    closing:
      "in a profile 40 % of our time is in moving every slot of every word, where SGDClassifier's one weight per word and class is two numbers here, W and ln W (on words that are in the cache it takes half of that), 15 % in scores, 9 % in gathering the rows of mini-batches, 7 % in the statistics that every epoch hands out. To try: counts and parameters of a word side by side in memory.",
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
      closing: FITS[name],
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
    closing: door(39, 100_000),
  },
  ...VOCABULARIES.map(
    (words): Job => ({
      ...npm,
      name: `ml-naivebayes: MultinomialNB, ${words} words`,
      kind: "multinomial-labels",
      peer: "ml-naivebayes",
      size: size(2000, words, 4),
      tolerance: 0,
      closing: LISTS,
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
      closing: LISTS,
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
      closing: LISTS,
    }),
  ),
  {
    ...npm,
    name: "data-analysis-models: NaiveBayes",
    kind: "gaussian-labels",
    peer: "data-analysis-models",
    size: size(20_000, 10, 3),
    tolerance: 1e-3,
    closing: door(49, 100_000),
  },
  {
    ...npm,
    name: "data-analysis-models: CategoricalNaiveBayes",
    kind: "categorical-labels",
    peer: "data-analysis-models",
    size: size(20_000, 10, 3),
    tolerance: 1e-3,
    closing: door(63, 100_000),
  },
  {
    ...npm,
    name: "data-analysis-models: QuadraticDiscriminant",
    kind: "qda-labels",
    peer: "data-analysis-models",
    size: size(20_000, 8, 3),
    tolerance: 1e-3,
    closing: door(48, 100_000),
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
