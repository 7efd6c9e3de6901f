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
  /** Where the bar is missed: what would close it, beside the profile that the race makes. */
  readonly closing?: string
  /** And the same by hand: npm-peers.mjs has loops for these rows alone. */
  readonly byHand?: true
}

export interface Size {
  readonly rows: number
  readonly columns: number
  readonly classes: number
  readonly corpus?: "20ng" | "imdb"
}

const size = (rows: number, columns: number, classes: number): Size => ({ rows, columns, classes })
const corpus = (corpus: "20ng" | "imdb"): Size => ({ rows: 0, columns: 0, classes: 0, corpus })

/** What is left of naive Bayes over numbers: numbers are read twice. */
const COLUMNS =
  "one pass instead of two: columns are read once for their scale and once to be counted, and both times wait for memory, two fifths of the time."

const FITS = {
  "20ng":
    "a faster door: three epochs take a third of the time, the file, its words and the counts to start from take the rest.",
  imdb: "the door in two thirds of its time: the scan of text in WebAssembly.",
} as const

/** Of fit + predict on lists of words. */
const LISTS =
  "nothing in sight for wink, whose bar leaves 3 to 4 ms: 160,000 words have to be found, and a string is known by its letters or its hash, either of which costs some 20 ns, two fifths of our time by now. Looking up in steps over a document, and joining its words into bytes, brought nothing."

/** Of fit + predict on few rows. */
const FEW =
  "nothing single: the time is spread over many small parts; the largest is the array of labels, fresh memory each time. The bar leaves 45 ns a row for learning and answering together. What is left to save: steps per block of rows, and a twentieth of a millisecond per fit that does not depend on rows."

/** Of fit + predict on columns of levels. */
const LEVELS =
  "nothing in sight: the bar leaves 3.5 ns a cell to meet it twice and to add three numbers. Levels that are coded in the memory of the kernels would save a tenth."

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
    closing: ROWS_COPIED,
  }
}

const ROWS_COPIED =
  "rows that live in the memory of the kernels, into which every block is copied once per sweep; beyond that wider registers in WebAssembly."

/** Behind the door scores and sums come near what two doubles per register can do. */
const DISCRIMINANT =
  "wider registers in WebAssembly, or threads for counting and for questions: the sums of squares, a third of the time, reach 17 to 18 of the some 20 GFLOP/s that two doubles per register allow."

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
    closing: COLUMNS,
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
    closing: DISCRIMINANT,
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
    closing: DISCRIMINANT,
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
      "memory that is cheap to touch first: statistics and parameters are fresh arrays of 8.8 MB each. Where the engine gets memory that was used before, a fit takes half as long as where it does not: 2,145 pages are then touched for each of the two, at some 2 µs. numpy's arrays stand in huge pages, which Node cannot ask for. Arrays that stay in the memory of the kernels would be fresh every time.",
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
      "a faster first look at the words. A scan in WebAssembly was tried: on a vocabulary that is known it is 2.3 times as fast, on the first pass no faster.",
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
      "memory that is asked for before it is needed: a program in C that prefetches takes two thirds of the time of one that does not, and WebAssembly cannot ask. Early loads, padded rows, 20 slots at once, and parameters taken part by part for all rows of a block brought nothing or a twentieth; words numbered in the order in which they come brought a third.",
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
    timed: "200 documents one by one; sparse counts are made before (ours: behind the door)",
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
    closing:
      "words that are found without their letters: of the 105 of a document each costs some 30 ns, letter by letter, two thirds of the time.",
  },
  {
    ...sklearn,
    name: "Bernoulli naive Bayes, sparse",
    kind: "bernoulli",
    size: size(200_000, 30, 5),
    timed: "fit + predict; theirs a sparse matrix, ours the same as sparse(…), made before",
    bar: 2,
    closing:
      "fewer steps around the kernels: rows go through the door twice, cell by cell to see which follow each other, are cut into blocks and copied. The kernels take a third of the time; of the other steps none takes a tenth.",
  },
  {
    ...sklearn,
    name: "categorical naive Bayes",
    kind: "categorical",
    size: size(200_000, 30, 5),
    timed: "fit + predict",
    bar: 2,
    closing: "levels that are held in a byte: every cell is read three times, as a double.",
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
      "scores that do not wait for memory, nearly half of an epoch: on words that are in the cache the same kernel takes a third of the time. A seventh are the logarithms of all words, which the pull of the prior moves once an epoch; what is around the kernels is a fifth, in many small parts. Logarithms updated by the series that single steps use would save a twentieth, but where learning goes on from a checkpoint the bits would be others. Of no use were logarithms of equal counts taken once, and rows that are shuffled as numbers.",
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
      "less arithmetic per word and class, which takes two thirds of the kernel that moves words: SGDClassifier's one weight is two numbers here, W and ln W, and every slot of every word moves. Then counts and parameters of a word side by side in memory.",
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
    closing: FEW,
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
      byHand: true,
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
      byHand: true,
    }),
  ),
  {
    ...npm,
    name: "data-analysis-models: NaiveBayes",
    kind: "gaussian-labels",
    peer: "data-analysis-models",
    size: size(20_000, 10, 3),
    tolerance: 1e-3,
    closing: FEW,
  },
  {
    ...npm,
    name: "data-analysis-models: CategoricalNaiveBayes",
    kind: "categorical-labels",
    peer: "data-analysis-models",
    size: size(20_000, 10, 3),
    tolerance: 1e-3,
    closing: LEVELS,
    byHand: true,
  },
  {
    ...npm,
    name: "data-analysis-models: QuadraticDiscriminant",
    kind: "qda-labels",
    peer: "data-analysis-models",
    size: size(20_000, 8, 3),
    tolerance: 1e-3,
    closing: FEW,
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
