/**
 * Where laws do not apply, and why: the committed list. The tests hold it against what was skipped, both ways: a skip that
 * is not listed fails, and so does a listed one that was not skipped. `*` stands for any text.
 * Long because it is a list.
 */

import { beliefs } from "../../beliefs/list.ts"
import { families } from "../../families/list.ts"

export interface AllowedSkip {
  readonly laws: readonly string[]
  readonly subjects: readonly string[]
  readonly reason: string
}

const UNLABELLED = [
  "* alone",
  "normal, *",
  "regression",
  "a regression after a mixture",
  "mixture of *",
  "soft k-means",
  "latent classes",
  "independent mixtures",
  "mixture inside a mixture",
  "a body for each component",
]
const SEEN = [
  "* alone",
  "naive Bayes*",
  "normal, *",
  "regression",
  "regression in each class",
  "quadratic discriminant",
  "linear discriminant",
  "diagonal discriminant",
  "classes inside classes",
]
const MIXTURES_UNDER_A_LABEL = [
  "mixture inside classes",
  "mixture discriminant",
  "classes inside a mixture",
  "a body for each class",
  "named mixtures",
]
/** A mixture stands somewhere. */
const HIDDEN = [...UNLABELLED.slice(3), ...MIXTURES_UNDER_A_LABEL]
const MIXTURES_WITHOUT_BAGS = [
  "mixture of normals",
  "mixture of tied normals",
  "mixture of spheres",
  "mixture of counts",
  "mixture of amounts",
  "mixture of regressions",
  "mixture of experts",
]
const plain = families.map(({ name, make, specimens: [{ options }] }) => ({ name, need: make(options).need }))
const COUNTS = plain.flatMap(({ name, need }) => (need.kind === "count" ? [name] : []))
/** Families of numbers with a support. */
const SUPPORTED = plain.flatMap(({ name, need }) => (need.kind === "number" && need.support ? [name] : []))
const alone = (families: readonly string[]): string[] => families.map(name => `${name}* alone`)
const inClasses = (families: readonly string[]): string[] => families.map(name => `naive Bayes of ${name}*`)
/** Columns that are all numbers, and no switch to ask for. */
const NUMBERS_ALONE = [
  "gaussian* alone",
  "normal* alone",
  ...alone([...COUNTS, ...SUPPORTED]),
  "linear* alone",
  "regression",
  "normal, *",
]
const WITHOUT_NUMBERS = ["naive Bayes, levels", "latent classes"]
const BAGS_ALONE = ["multinomial* alone", "wordSet* alone"]
const RAW_BAGS_ALONE = ["multinomial alone", "multinomial { prior: * alone", "wordSet* alone"]
const BAGS = [...BAGS_ALONE, "naive Bayes of multinomial*", "naive Bayes of wordSet*"]
const LEVELS = [
  "bernoulli* alone",
  "categorical* alone",
  "naive Bayes of bernoulli*",
  "naive Bayes of categorical*",
]

const SCALED = ["multinomial { scaling: * alone", "naive Bayes of multinomial { scaling: *"]
/** Families without a posterior here, but for topics. */
const WITHOUT_BELIEF = plain.flatMap(({ name }) =>
  name === "topics" || beliefs.some(({ family }) => family === name) ? [] : [name],
)
/** Those, and steps, which share parameters. */
const WITHOUT_POSTERIOR = [
  ...alone([...WITHOUT_BELIEF, "topics"]),
  ...inClasses([...WITHOUT_BELIEF, "topics"]),
  "mixture of amounts",
  "mixture of chains",
  "mixture of topics",
  "plate*",
  "hidden Markov model*",
  "chain of mixtures",
  "tagger*",
  "topics in each class",
  "shared topics",
  "own and shared topics",
]
/** No label and no other column with levels, but numbers. */
const NO_LEVELS = [
  ...NUMBERS_ALONE,
  "mixture of normals",
  "mixture of tied normals",
  "mixture of spheres",
  "mixture of counts",
  "mixture of amounts",
  "mixture of regressions",
  "mixture of experts",
  "soft k-means",
  "mixture inside a mixture",
  "a body for each component",
]
const NOT_ONE_BODY = [
  ...UNLABELLED,
  "classes inside a mixture",
  "classes inside classes",
  "a body for each class",
  "named mixtures",
]
/** Laws that walk every learner in every state of the data. */
const MATRIX = [
  "A1.matrix",
  "A3",
  "A3.likelihood",
  "A13",
  "A14",
  "A8.resume",
  "A4",
  "A4.natural",
  "A4.prior",
  "A4.mass",
  "A4.totals",
  "A4.falls",
  "A5.generative",
  "A5.still",
  "A8.state",
]

export const skips: readonly AllowedSkip[] = [
  {
    laws: ["P1", "P2", "P3", "P3.limit", "P5", "P7"],
    subjects: [...WITHOUT_BELIEF, "topics"].map(name => `${name}*`),
    reason: "the family has no posterior here",
  },
  {
    laws: ["P1", "P2", "P3", "P3.limit", "P5", "P7"],
    subjects: ["multinomial { scaling: *"],
    reason: "a scaled document has no posterior",
  },
  {
    laws: ["A1.family"],
    subjects: ["multinomial { scaling: *"],
    reason: "a scaled document has no density",
  },
  {
    laws: ["A1.joint", "A6.marginal", "A6.nothing", "A6.strange"],
    subjects: SCALED,
    reason: "a scaled document has no density",
  },
  {
    laws: ["A3.likelihood"],
    subjects: SCALED.map(subject => `${subject}* · em, *`),
    reason: "a scaled document has no density",
  },
  {
    laws: ["A2.within"],
    subjects: [
      "bernoulli*",
      "categorical*",
      "multinomial*",
      "wordSet*",
      ...COUNTS.map(name => `${name}*`),
      'normal { covariance: "identity" }',
    ],
    reason: "the family learns no variance",
  },
  {
    laws: ["A2.within"],
    subjects: SUPPORTED.map(name => `${name}*`),
    reason: "the prior is drawn to pooled moments",
  },
  {
    laws: ["A10.affine", "A10.affine.ncll", "A10.affine.hinge"],
    subjects: [...alone(["beta"]), ...inClasses(["beta"])],
    reason: "a share has no other units",
  },
  {
    laws: ["A2.prior"],
    subjects: ["multinomial { scaling: *"],
    reason: "a word of a scaled document does not count as one",
  },
  {
    laws: ["A9.sample"],
    subjects: SCALED,
    reason: "scaled documents cannot be drawn",
  },
  {
    laws: ["A8.update"],
    subjects: SCALED,
    reason: "how rare a word is was learned from the first rows",
  },
  {
    laws: ["A5.most"],
    subjects: SCALED,
    reason: "other weights are another scaling of the documents",
  },
  {
    laws: MATRIX,
    subjects: NO_LEVELS.map(subject => `${subject} · * · sdem, hinge`),
    reason: "the hinge loss needs a target with levels",
  },
  {
    laws: MATRIX,
    subjects: BAGS_ALONE.map(subject => `${subject} · * · sdem, *`),
    reason: "a bag of words cannot be a target",
  },
  {
    laws: ["A5.generative"],
    subjects: BAGS_ALONE.map(subject => `${subject} · * · onlineEm`),
    reason: "a bag of words cannot be a target",
  },
  {
    laws: ["A3"],
    subjects: ["* · onlineEm", "* · sdem, *", "* · bayes, batches"],
    reason: "the learner takes partial steps",
  },
  {
    laws: ["A3.likelihood"],
    subjects: ["* · onlineEm", "* · sdem, *", "* · bayes, batches"],
    reason: "the learner never sees all rows with its last parameters",
  },
  {
    laws: ["A3.likelihood"],
    subjects: ["* · bayes"],
    reason: "a posterior answers by no parameters of its own",
  },
  {
    laws: MATRIX,
    subjects: WITHOUT_POSTERIOR.map(subject => `${subject} · * · bayes*`),
    reason: "the model has parameters without a posterior here",
  },
  {
    laws: MATRIX,
    subjects: [...SCALED, "topics* alone", "naive Bayes of topics*"].map(
      subject => `${subject} · * · bayes*`,
    ),
    reason: "a scaled document has no posterior",
  },
  {
    laws: ["A4", "A4.natural", "A4.prior", "A4.mass", "A4.totals", "A4.falls", "A8.state"],
    subjects: ["* · em, *", "* · bayes*"],
    reason: "the learner solves, it takes no steps",
  },
  {
    laws: ["A4.prior", "A4.totals"],
    subjects: ["* · onlineEm"],
    reason: "nothing is contrasted: every row adds mass",
  },
  {
    laws: ["A4.totals"],
    subjects: UNLABELLED.map(subject => `${subject} · * · sdem, *`),
    reason: "the model has no label",
  },
  {
    laws: ["A4.totals"],
    subjects: ["* · missing cells* · sdem, *"],
    reason: "a hole is filled by what each class expects of it",
  },
  {
    laws: ["A5.generative"],
    subjects: ["* · em, *", "* · sdem, *", "* · bayes*"],
    reason: "the law compares with online EM",
  },
  {
    laws: ["A5.still"],
    subjects: ["* · em, *", "* · onlineEm", "* · bayes*"],
    reason: "the learner has no target",
  },
  {
    laws: ["A5.logistic"],
    subjects: NOT_ONE_BODY,
    reason: "the model is not classes(label, body) with one body",
  },
  {
    laws: ["A5.logistic"],
    subjects: [
      "naive Bayes, gaussians",
      "naive Bayes, levels",
      "naive Bayes, mixed",
      "naive Bayes, words",
      "naive Bayes, numbers as labels",
      "naive Bayes, booleans as labels",
      "naive Bayes of linear*",
      "regression in each class",
      "quadratic discriminant",
      "diagonal discriminant",
      "mixture inside classes",
      "mixture discriminant",
      ...LEVELS.slice(2),
      ...BAGS.slice(2),
      ...inClasses([...COUNTS, ...SUPPORTED]),
      "naive Bayes of gaussian",
      "naive Bayes of normal",
      'naive Bayes of normal { covariance: "diag"*',
      'naive Bayes of normal { covariance: "spherical"*',
    ],
    reason: "the posterior is not a softmax of the columns themselves",
  },
  {
    laws: ["A10.affine.hinge"],
    subjects: NO_LEVELS.filter(
      subject => !["mixture of spheres", "soft k-means", ...alone([...COUNTS, "beta"])].includes(subject),
    ),
    reason: "the hinge loss needs a target with levels",
  },
  {
    laws: ["A10.scale"],
    subjects: [...BAGS, "naive Bayes, mixed", "naive Bayes, words", "mixture of mixed columns"],
    reason: "how rare a word is, and how firmly it stays, is counted in documents",
  },
  {
    laws: ["A10.order", "A5.averaged", "A5.share", "A7.target"],
    subjects: BAGS_ALONE,
    reason: "a bag of words cannot be a target",
  },
  {
    laws: ["A2.expect"],
    subjects: ["bernoulli*", "categorical*", "multinomial*", "wordSet*"],
    reason: "a column without numbers has no mean",
  },
  {
    laws: ["A9.family"],
    subjects: ["multinomial*", "wordSet*"],
    reason: "the length of a bag is given, not modelled: it cannot be drawn",
  },
  {
    laws: ["A1.joint", "A6.marginal"],
    subjects: RAW_BAGS_ALONE,
    reason: "bags have no density of their own: their length is given",
  },
  {
    laws: ["A6.numbers", "A6.integral"],
    subjects: [...WITHOUT_NUMBERS, ...LEVELS, ...BAGS],
    reason: "no column is a number",
  },
  {
    laws: ["A6.conditional"],
    subjects: [
      ...UNLABELLED.filter(subject => subject !== "normal, *"),
      ...MIXTURES_UNDER_A_LABEL,
      "naive Bayes*",
      "* discriminant",
      "classes inside classes",
      "regression in each class",
    ],
    reason: "the model is not one normal over several columns",
  },
  {
    laws: ["A6.draws", "A9.sample", "A9.evidence", "A9.recovered"],
    subjects: BAGS_ALONE,
    reason: "bags have no density of their own: their length is given",
  },
  {
    laws: ["A9.recovered"],
    subjects: [...BAGS.slice(2), "naive Bayes, mixed", "naive Bayes, words", "mixture of mixed columns"],
    reason: "the words of a bag are drawn, but not how many",
  },
  {
    laws: ["A9.recovered"],
    subjects: [...HIDDEN.filter(subject => subject !== "mixture of *"), ...MIXTURES_WITHOUT_BAGS],
    reason: "the components of a mixture may change places, or merge",
  },
  {
    laws: ["A11.risk", "A11.mistakes", "A11.reject", "A11.prior", "A6.explained"],
    subjects: [...NUMBERS_ALONE, ...BAGS_ALONE],
    reason: "no column has levels",
  },
  {
    laws: ["A2.shares"],
    subjects: [
      ...NUMBERS_ALONE.slice(0, -1),
      ...LEVELS,
      "regression in each class",
      "mixture of regressions",
      "mixture of experts",
      "naive Bayes, gaussians",
      "naive Bayes, tied gaussians",
      "naive Bayes, levels",
      "naive Bayes, numbers as labels",
      "naive Bayes, booleans as labels",
      "naive Bayes of gaussian*",
      "naive Bayes of normal*",
      ...inClasses([...COUNTS, ...SUPPORTED]),
      "naive Bayes of linear*",
      "latent classes",
      "mixture of counts",
      "mixture of amounts",
      "mixture inside classes",
      "classes inside a mixture",
      "independent mixtures",
      "mixture inside a mixture",
      "classes inside classes",
      "named mixtures",
    ],
    reason: "every leaf has one column, which is its one share",
  },
  {
    laws: ["A8.update"],
    subjects: HIDDEN,
    reason: "a mixture forgets who was who: earlier rows are fixed as they were guessed",
  },
  {
    laws: ["A9.model", "A9.likely"],
    subjects: BAGS,
    reason: "bags have no density of their own: their length is given",
  },
  {
    laws: ["A3.bound", "A3.fixed", "A10.components", "A10.numbers"],
    subjects: SEEN,
    reason: "nothing is hidden: there is nothing to start from",
  },
  {
    laws: ["A5.counting", "A5.most", "A5.average"],
    subjects: HIDDEN,
    reason: "a mixture is never seen: nothing can be counted",
  },
  {
    laws: ["A5.labels", "A7.onehot", "A7.copies", "A7.classes", "A7.unlabelled", "B.labels", "B.oneclass"],
    subjects: UNLABELLED,
    reason: "the model has no label",
  },
  { laws: ["A5.labels"], subjects: MIXTURES_UNDER_A_LABEL, reason: "a mixture is never seen" },
  { laws: ["A15"], subjects: UNLABELLED, reason: "the model has no label to predict" },
  {
    laws: ["A6.dropped"],
    subjects: ["normal, spherical", "mixture of spheres"],
    reason: "the variance is shared by the columns, and so is the prior's pseudo-row",
  },
  {
    laws: ["A6.dropped"],
    subjects: [
      "* alone",
      "naive Bayes of *",
      "regression",
      "a regression after a mixture",
      "mixture of regressions",
      "mixture of experts",
    ],
    reason: "the model needs its only column",
  },
  {
    laws: ["A7.start", "A7.unsupervised"],
    subjects: [
      ...UNLABELLED,
      "classes inside a mixture",
      "classes inside classes",
      "a body for each class",
      "named mixtures",
    ],
    reason: "the model is not classes(label, body) with one body",
  },
  {
    laws: ["A10.components", "A10.numbers"],
    subjects: ["a body for each component"],
    reason: "components with bodies or an order of their own cannot change places",
  },
  {
    laws: ["A10.levels", "A10.levels.ncll", "A10.levels.hinge"],
    subjects: [
      ...BAGS_ALONE,
      ...NUMBERS_ALONE,
      "mixture of normals",
      "mixture of tied normals",
      "mixture of spheres",
      "mixture of counts",
      "mixture of amounts",
      "mixture of regressions",
      "mixture of experts",
      "soft k-means",
      "mixture inside a mixture",
      "a body for each component",
    ],
    reason: "no column has levels",
  },
  {
    laws: ["A10.levels", "A10.levels.ncll", "A10.levels.hinge"],
    subjects: [
      "latent classes",
      "mixture of mixed columns",
      "mixture inside classes",
      "mixture discriminant",
      "classes inside a mixture",
      "independent mixtures",
      "a regression after a mixture",
      "named mixtures",
    ],
    reason: "first guesses are thrown class by class, in the order of the levels",
  },
  {
    laws: ["A10.levels", "A10.levels.ncll", "A10.levels.hinge"],
    subjects: ["a body for each class", "*categorical { levels: *"],
    reason: "the levels are declared by name",
  },
  {
    laws: ["A10.affine", "A10.affine.ncll", "A10.affine.hinge"],
    subjects: [...WITHOUT_NUMBERS, ...LEVELS, ...BAGS, ...alone(COUNTS), ...inClasses(COUNTS)],
    reason: "no column is a number",
  },
  {
    laws: ["A10.affine", "A10.affine.ncll", "A10.affine.hinge"],
    subjects: [
      "normal, spherical",
      "normal, identity",
      "soft k-means",
      "mixture of spheres",
      '*normal { covariance: "spherical"*',
      '*normal { covariance: "identity"*',
    ],
    reason: "round covariances depend on the units, by choice",
  },
  {
    laws: ["A5.strong", "A9.given", "A6.linear"],
    subjects: ["* alone", "normal, *", "regression"],
    reason: "nothing is chosen: the model has no switch",
  },
  { laws: ["B.oneclass"], subjects: ["a body for each class"], reason: "the levels are declared" },
  {
    laws: ["B.unseen"],
    subjects: [
      "naive Bayes, gaussians",
      "naive Bayes, tied gaussians",
      "quadratic discriminant",
      "linear discriminant",
      "diagonal discriminant",
      "mixture of normals",
      "mixture of tied normals",
      "mixture of spheres",
      "mixture of counts",
      "mixture of amounts",
      "mixture of regressions",
      "mixture of experts",
      "soft k-means",
      "mixture discriminant",
      "mixture inside a mixture",
      "a body for each class",
      "a body for each component",
      ...NUMBERS_ALONE,
      "naive Bayes of gaussian*",
      "naive Bayes of normal*",
      ...inClasses([...COUNTS, ...SUPPORTED]),
      "naive Bayes of linear*",
    ],
    reason: "no column has levels or words",
  },
  {
    laws: MATRIX,
    subjects: UNLABELLED.map(subject => `${subject} · missing labels · *`),
    reason: "the model has no label that could be missing",
  },
  // rows with steps
  {
    laws: ["A3.bound", "A3.fixed", "A10.components", "A10.numbers"],
    subjects: ["plate", "plate in each class"],
    reason: "nothing is hidden: there is nothing to start from",
  },
  {
    laws: ["A5.counting", "A5.most", "A5.average"],
    subjects: ["plate in a mixture", "plate of mixtures"],
    reason: "a mixture is never seen: nothing can be counted",
  },
  {
    laws: ["A5.strong", "A9.given"],
    subjects: ["plate"],
    reason: "nothing is chosen: the model has no switch",
  },
  {
    laws: ["A5.labels", "A7.onehot", "A7.copies", "A7.unlabelled", "A7.classes", "B.labels", "B.oneclass"],
    subjects: ["plate", "plate in a mixture"],
    reason: "the model has no label",
  },
  { laws: ["A5.labels"], subjects: ["plate of mixtures"], reason: "a mixture is never seen" },
  {
    laws: ["A6.dropped"],
    subjects: ["plate", "plate in a mixture", "plate of mixtures"],
    reason: "the model needs its only column",
  },
  {
    laws: ["A7.unsupervised", "A7.start", "A5.logistic"],
    subjects: ["plate", "plate in a mixture"],
    reason: "the model is not classes(label, body) with one body",
  },
  {
    laws: ["A7.target", "A5.share", "A5.averaged", "A10.scale", "A10.order"],
    subjects: ["plate", "plate in a mixture"],
    reason: "a bag of words cannot be a target",
  },
  { laws: ["A10.numbers"], subjects: ["plate in a mixture"], reason: "a bag of words cannot be a target" },
  {
    laws: [
      "A3",
      "A3.likelihood",
      "A1.matrix",
      "A13",
      "A14",
      "A8.resume",
      "A4",
      "A4.natural",
      "A4.prior",
      "A4.mass",
      "A8.state",
      "A4.totals",
      "A4.falls",
      "A5.still",
    ],
    subjects: ["plate · * · sdem*", "plate in a mixture · * · sdem*"],
    reason: "a bag of words cannot be a target",
  },
  {
    laws: ["A5.generative"],
    subjects: [
      "plate · * · onlineEm",
      "plate · * · sdem*",
      "plate in a mixture · * · onlineEm",
      "plate in a mixture · * · sdem*",
    ],
    reason: "a bag of words cannot be a target",
  },
  {
    laws: ["A10.levels", "A10.levels.ncll", "A10.levels.hinge"],
    subjects: ["plate", "plate in a mixture"],
    reason: "no column has levels",
  },
  {
    laws: ["A11.risk", "A11.mistakes", "A11.reject", "A11.prior"],
    subjects: ["plate"],
    reason: "no column has levels",
  },
  {
    laws: ["A10.levels", "A10.levels.ncll", "A10.levels.hinge"],
    subjects: ["plate of mixtures"],
    reason: "first guesses are thrown class by class, in the order of the levels",
  },
  {
    laws: ["A10.affine", "A10.affine.ncll", "A10.affine.hinge", "A6.integral", "A6.numbers"],
    subjects: ["plate", "plate in a mixture", "plate of mixtures"],
    reason: "no column is a number",
  },
  {
    laws: ["A5.logistic"],
    subjects: ["plate in each class", "plate of mixtures"],
    reason: "the posterior is not a softmax of the columns themselves",
  },
  {
    laws: ["A9.model", "A9.likely", "A9.sample", "A9.evidence", "A9.recovered"],
    subjects: ["plate", "plate in each class", "plate in a mixture", "plate of mixtures"],
    reason: "how many steps a row has is given, not modelled",
  },
  { laws: ["A15"], subjects: ["plate", "plate in a mixture"], reason: "the model has no label to predict" },
  {
    laws: ["A6.explained", "A6.linear", "A2.linear"],
    subjects: ["plate", "plate in each class", "plate in a mixture", "plate of mixtures"],
    reason: "it goes by the cells of rows: those of steps are tried in structures/plate.test.ts",
  },
  {
    laws: ["A6.conditional"],
    subjects: ["plate", "plate in each class", "plate in a mixture", "plate of mixtures"],
    reason: "the model is not one normal over several columns",
  },
  {
    laws: ["A2.shares"],
    subjects: ["plate", "plate in each class", "plate in a mixture", "plate of mixtures"],
    reason: "every leaf has one column, which is its one share",
  },
  {
    laws: ["A8.update"],
    subjects: ["plate in a mixture", "plate of mixtures"],
    reason: "a mixture forgets who was who: earlier rows are fixed as they were guessed",
  },
  {
    laws: ["B.unseen"],
    subjects: ["plate", "plate in a mixture", "plate of mixtures"],
    reason: "no column has levels or words",
  },
  {
    laws: [
      "A3",
      "A3.likelihood",
      "A1.matrix",
      "A13",
      "A14",
      "A8.resume",
      "A4",
      "A4.natural",
      "A4.prior",
      "A4.mass",
      "A8.state",
      "A4.totals",
      "A4.falls",
      "A5.generative",
      "A5.still",
    ],
    subjects: ["plate · missing labels · *", "plate in a mixture · missing labels · *"],
    reason: "the model has no label that could be missing",
  },
  // chains
  {
    laws: ["A3.bound", "A3.fixed", "A10.components", "A10.numbers"],
    subjects: ["tagger", "tagger in each class"],
    reason: "nothing is hidden: there is nothing to start from",
  },
  {
    laws: ["A5.counting", "A5.most", "A5.average"],
    subjects: ["hidden Markov model", "hidden Markov model in each class", "chain of mixtures"],
    reason: "a mixture is never seen: nothing can be counted",
  },
  {
    laws: ["A5.strong"],
    subjects: ["tagger"],
    reason: "nothing is chosen: the model has no switch",
  },
  {
    laws: ["A5.labels", "A7.onehot", "A7.copies", "A7.unlabelled", "A7.classes", "B.labels", "B.oneclass"],
    subjects: ["hidden Markov model", "chain of mixtures", "tagger"],
    reason: "the model has no label",
  },
  {
    laws: ["A5.labels"],
    subjects: ["hidden Markov model in each class"],
    reason: "a mixture is never seen",
  },
  {
    laws: ["A6.dropped"],
    subjects: [
      "hidden Markov model",
      "mixture of chains",
      "chain of mixtures",
      "tagger",
      "tagger in each class",
    ],
    reason: "the model needs its only column",
  },
  {
    laws: ["A7.unsupervised", "A7.start", "A5.logistic"],
    subjects: ["hidden Markov model", "chain of mixtures", "tagger"],
    reason: "the model is not classes(label, body) with one body",
  },
  {
    laws: ["A7.target", "A5.share", "A5.averaged", "A10.scale", "A10.order"],
    subjects: ["hidden Markov model", "mixture of chains", "chain of mixtures", "tagger"],
    reason: "a bag of words cannot be a target",
  },
  {
    laws: ["A10.components", "A10.numbers"],
    subjects: ["hidden Markov model in each class", "chain of mixtures"],
    reason: "components with bodies or an order of their own cannot change places",
  },
  {
    laws: ["A10.levels", "A10.levels.ncll", "A10.levels.hinge"],
    subjects: ["hidden Markov model", "mixture of chains", "chain of mixtures", "tagger"],
    reason: "no column has levels",
  },
  {
    laws: ["A10.levels", "A10.levels.ncll", "A10.levels.hinge"],
    subjects: ["hidden Markov model in each class"],
    reason: "first guesses are thrown class by class, in the order of the levels",
  },
  {
    laws: ["A10.affine", "A10.affine.ncll", "A10.affine.hinge", "A6.numbers", "A6.integral"],
    subjects: ["hidden Markov model", "mixture of chains", "chain of mixtures", "tagger"],
    reason: "no column is a number",
  },
  {
    laws: ["A5.logistic"],
    subjects: ["hidden Markov model in each class", "tagger in each class"],
    reason: "the posterior is not a softmax of the columns themselves",
  },
  {
    laws: ["A10.numbers"],
    subjects: ["hidden Markov model", "mixture of chains"],
    reason: "a bag of words cannot be a target",
  },
  {
    laws: ["A9.model", "A9.likely", "A9.sample", "A9.evidence", "A9.recovered"],
    subjects: [
      "hidden Markov model",
      "hidden Markov model in each class",
      "mixture of chains",
      "chain of mixtures",
      "tagger",
      "tagger in each class",
    ],
    reason: "how many steps a row has is given, not modelled",
  },
  {
    laws: ["A9.given"],
    subjects: ["hidden Markov model", "tagger"],
    reason: "nothing is chosen: the model has no switch",
  },
  {
    laws: ["A15"],
    subjects: ["hidden Markov model", "chain of mixtures", "tagger"],
    reason: "the model has no label to predict",
  },
  {
    laws: ["A6.conditional"],
    subjects: [
      "hidden Markov model",
      "hidden Markov model in each class",
      "chain of mixtures",
      "tagger",
      "tagger in each class",
    ],
    reason: "the model is not one normal over several columns",
  },
  {
    laws: ["A11.risk", "A11.mistakes", "A11.reject", "A11.prior"],
    subjects: ["tagger"],
    reason: "no column has levels",
  },
  {
    laws: ["A6.explained", "A6.linear", "A2.linear"],
    subjects: [
      "hidden Markov model",
      "hidden Markov model in each class",
      "mixture of chains",
      "chain of mixtures",
      "tagger",
      "tagger in each class",
    ],
    reason: "it goes by the cells of rows: those of steps are tried in structures/plate.test.ts",
  },
  {
    laws: ["A2.shares"],
    subjects: [
      "hidden Markov model",
      "hidden Markov model in each class",
      "mixture of chains",
      "chain of mixtures",
      "tagger",
      "tagger in each class",
    ],
    reason: "every leaf has one column, which is its one share",
  },
  {
    laws: ["A8.update"],
    subjects: ["hidden Markov model", "hidden Markov model in each class", "chain of mixtures"],
    reason: "a mixture forgets who was who: earlier rows are fixed as they were guessed",
  },
  {
    laws: ["B.unseen"],
    subjects: [
      "hidden Markov model",
      "mixture of chains",
      "chain of mixtures",
      "tagger",
      "tagger in each class",
    ],
    reason: "no column has levels or words",
  },
  {
    laws: [
      "A3",
      "A3.likelihood",
      "A1.matrix",
      "A13",
      "A14",
      "A8.resume",
      "A4",
      "A4.natural",
      "A4.prior",
      "A4.mass",
      "A8.state",
      "A4.totals",
      "A4.falls",
      "A5.still",
    ],
    subjects: [
      "hidden Markov model · * · sdem*",
      "mixture of chains · * · sdem*",
      "chain of mixtures · * · sdem*",
      "tagger · * · sdem*",
    ],
    reason: "a bag of words cannot be a target",
  },
  {
    laws: [
      "A3",
      "A3.likelihood",
      "A1.matrix",
      "A13",
      "A14",
      "A8.resume",
      "A4",
      "A4.natural",
      "A4.prior",
      "A4.mass",
      "A8.state",
      "A4.totals",
      "A4.falls",
      "A5.generative",
      "A5.still",
    ],
    subjects: [
      "hidden Markov model · missing labels · *",
      "chain of mixtures · missing labels · *",
      "tagger · missing labels · *",
    ],
    reason: "the model has no label that could be missing",
  },
  {
    laws: ["A5.generative"],
    subjects: [
      "hidden Markov model · * · onlineEm",
      "hidden Markov model · * · sdem*",
      "mixture of chains · * · onlineEm",
      "mixture of chains · * · sdem*",
      "chain of mixtures · * · onlineEm",
      "chain of mixtures · * · sdem*",
      "tagger · * · onlineEm",
      "tagger · * · sdem*",
    ],
    reason: "a bag of words cannot be a target",
  },
  // topics
  {
    laws: ["A1.family"],
    subjects: ["topics*"],
    reason: "the score is a maximum over what hides inside the leaf, not a density",
  },
  { laws: ["A1.family"], subjects: ["topics*"], reason: "a scaled document has no density" },
  {
    laws: ["A2.value"],
    subjects: ["topics*"],
    reason: "the value knows nothing of what hides inside the leaf",
  },
  {
    laws: ["A2.prior"],
    subjects: ["topics*"],
    reason: "pseudo-counts of what hides are not rows that were seen",
  },
  { laws: ["A2.prior"], subjects: ["topics*"], reason: "a word of a scaled document does not count as one" },
  { laws: ["A2.within"], subjects: ["topics*"], reason: "the family learns no variance" },
  { laws: ["A2.expect"], subjects: ["topics*"], reason: "a column without numbers has no mean" },
  {
    laws: ["A9.family"],
    subjects: ["topics*"],
    reason: "the length of a bag is given, not modelled: it cannot be drawn",
  },
  {
    laws: ["A10.slots"],
    subjects: ["topics*"],
    reason: "what hides in one slot is not what hides in the next",
  },
  {
    laws: ["A1.joint", "A6.marginal", "A6.nothing", "A6.strange"],
    subjects: [
      "topics*",
      "naive Bayes of topics*",
      "shared topics",
      "own and shared topics",
      "mixture of topics",
    ],
    reason: "topics have no density, but a bound",
  },
  {
    laws: ["A1.joint", "A6.marginal", "A6.nothing", "A6.strange"],
    subjects: ["topics*", "naive Bayes of topics*"],
    reason: "a scaled document has no density",
  },
  {
    laws: ["A3.bound"],
    subjects: [
      "topics*",
      "naive Bayes of topics*",
      "shared topics",
      "own and shared topics",
      "mixture of topics",
    ],
    reason: "the value knows nothing of what hides inside the leaf",
  },
  {
    laws: ["A3.fixed", "A5.batch"],
    subjects: [
      "topics*",
      "naive Bayes of topics*",
      "shared topics",
      "own and shared topics",
      "mixture of topics",
    ],
    reason: "passes of online EM come before the steps of EM",
  },
  {
    laws: ["A5.counting", "A5.most", "A5.average"],
    subjects: ["topics*", "naive Bayes of topics*", "shared topics", "own and shared topics"],
    reason: "a mixture is never seen: nothing can be counted",
  },
  {
    laws: ["A5.most"],
    subjects: ["topics*", "naive Bayes of topics*"],
    reason: "other weights are another scaling of the documents",
  },
  {
    laws: ["A5.labels"],
    subjects: ["naive Bayes of topics*", "topics*", "shared topics", "own and shared topics"],
    reason: "a mixture is never seen",
  },
  {
    laws: ["A6.dropped"],
    subjects: ["shared topics", "own and shared topics"],
    reason: "the model needs its only column",
  },
  {
    laws: ["A7.target", "A5.share", "A5.averaged", "A10.order"],
    subjects: ["topics* alone"],
    reason: "a bag of words cannot be a target",
  },
  {
    laws: ["A10.components", "A10.numbers"],
    subjects: ["topics*", "shared topics", "own and shared topics"],
    reason: "nothing is hidden: there is nothing to start from",
  },
  {
    laws: ["A10.levels", "A10.levels.ncll", "A10.levels.hinge"],
    subjects: [
      "naive Bayes of topics*",
      "topics*",
      "shared topics",
      "own and shared topics",
      "mixture of topics",
    ],
    reason: "first guesses are thrown class by class, in the order of the levels",
  },
  {
    laws: ["A10.levels", "A10.levels.ncll", "A10.levels.hinge"],
    subjects: ["topics*"],
    reason: "no column has levels",
  },
  {
    laws: ["A10.affine", "A10.affine.ncll", "A10.affine.hinge", "A6.numbers", "A6.integral"],
    subjects: ["topics* alone", "naive Bayes of topics*", "shared topics"],
    reason: "no column is a number",
  },
  {
    laws: ["A5.logistic"],
    subjects: ["naive Bayes of topics*", "topics*", "shared topics", "own and shared topics"],
    reason: "the posterior is not a softmax of the columns themselves",
  },
  {
    laws: ["A10.scale"],
    subjects: [
      "topics*",
      "naive Bayes of topics*",
      "shared topics",
      "own and shared topics",
      "mixture of topics",
    ],
    reason: "how rare a word is, and how firmly it stays, is counted in documents",
  },
  {
    laws: ["A9.model", "A9.likely"],
    subjects: ["topics* alone", "naive Bayes of topics*", "shared topics"],
    reason: "bags have no density of their own: their length is given",
  },
  {
    laws: ["A6.conditional"],
    subjects: ["topics*", "shared topics", "own and shared topics"],
    reason: "the model is not one normal over several columns",
  },
  {
    laws: ["A6.draws", "A9.sample", "A9.evidence"],
    subjects: ["topics* alone"],
    reason: "bags have no density of their own: their length is given",
  },
  {
    laws: ["A9.sample"],
    subjects: ["topics* alone", "naive Bayes of topics { topics: 2, proportions*"],
    reason: "scaled documents cannot be drawn",
  },
  {
    laws: ["A9.recovered"],
    subjects: [
      "naive Bayes of topics*",
      "topics*",
      "shared topics",
      "own and shared topics",
      "mixture of topics",
    ],
    reason: "the words of a bag are drawn, but not how many",
  },
  {
    laws: ["A9.recovered"],
    subjects: ["topics*"],
    reason: "bags have no density of their own: their length is given",
  },
  {
    laws: ["A11.risk", "A11.mistakes", "A11.reject", "A11.prior", "A6.explained"],
    subjects: ["topics* alone"],
    reason: "no column has levels",
  },
  {
    laws: ["A8.update"],
    subjects: ["topics*", "naive Bayes of topics*", "shared topics", "own and shared topics"],
    reason: "a mixture forgets who was who: earlier rows are fixed as they were guessed",
  },
  {
    laws: ["A8.update"],
    subjects: ["topics*", "naive Bayes of topics*"],
    reason: "how rare a word is was learned from the first rows",
  },
  { laws: ["A3"], subjects: ["topics* · * · sdem*"], reason: "a bag of words cannot be a target" },
  {
    laws: ["A3.likelihood"],
    subjects: [
      "topics* · *",
      "naive Bayes of topics* · *",
      "shared topics · *",
      "own and shared topics · *",
      "mixture of topics · *",
    ],
    reason: "topics have no density, but a bound",
  },
  { laws: ["A3.likelihood"], subjects: ["topics* · *"], reason: "a bag of words cannot be a target" },
  {
    laws: ["A3.likelihood"],
    subjects: ["naive Bayes of topics* · *", "topics* · *"],
    reason: "a scaled document has no density",
  },
  {
    laws: ["A1.matrix", "A13", "A14", "A8.resume", "A4", "A4.natural", "A4.mass", "A8.state", "A4.falls"],
    subjects: ["topics* alone · * · sdem*"],
    reason: "a bag of words cannot be a target",
  },
  {
    laws: ["A4.prior", "A4.totals", "A5.generative", "A5.still"],
    subjects: ["topics* alone · *"],
    reason: "a bag of words cannot be a target",
  },
  {
    laws: ["A4.natural"],
    subjects: [
      "naive Bayes of topics* · *",
      "topics* · *",
      "shared topics · *",
      "own and shared topics · *",
      "mixture of topics · *",
    ],
    reason: "the parameters of topics are probabilities, not their logarithms",
  },
  // networks
  {
    laws: ["A3.bound", "A3.fixed", "A10.components", "A10.numbers"],
    subjects: [
      "network of levels",
      "network of numbers",
      "network in each class",
      "network of lines in each class",
    ],
    reason: "nothing is hidden: there is nothing to start from",
  },
  {
    laws: ["A3.bound"],
    subjects: ["mixture of networks", "network with a hidden column"],
    reason: "a network does not tell the entropy of what is missing in it",
  },
  {
    laws: ["A5.counting", "A5.most", "A5.average"],
    subjects: ["network with a hidden column"],
    reason: "a mixture is never seen: nothing can be counted",
  },
  {
    laws: ["A5.strong", "A9.given", "A6.linear"],
    subjects: ["network of levels", "network of numbers"],
    reason: "nothing is chosen: the model has no switch",
  },
  {
    laws: ["A9.given"],
    subjects: ["network with a hidden column"],
    reason: "nothing is chosen: the model has no switch",
  },
  {
    laws: ["A5.labels", "A7.onehot", "A7.copies", "A7.unlabelled", "A7.classes", "B.labels", "B.oneclass"],
    subjects: ["network of levels", "network of numbers", "network with a hidden column"],
    reason: "the model has no label",
  },
  {
    laws: ["A4.totals"],
    subjects: [
      "network of levels · * · sdem*",
      "network of numbers · * · sdem*",
      "network with a hidden column · * · sdem*",
    ],
    reason: "the model has no label",
  },
  {
    laws: ["A6.dropped"],
    subjects: [
      "network of levels",
      "network of numbers",
      "mixture of networks",
      "network in each class",
      "network with a hidden column",
      "network of lines in each class",
    ],
    reason: "the model needs its only column",
  },
  {
    laws: ["A7.unsupervised", "A7.start", "A5.logistic"],
    subjects: ["network of levels", "network of numbers", "network with a hidden column"],
    reason: "the model is not classes(label, body) with one body",
  },
  {
    laws: ["A10.components", "A10.numbers"],
    subjects: ["mixture of networks", "network with a hidden column"],
    reason: "the tables of a network are not turned round here",
  },
  {
    laws: ["A10.levels", "A10.levels.ncll", "A10.levels.hinge"],
    subjects: ["mixture of networks", "network with a hidden column"],
    reason: "first guesses are thrown class by class, in the order of the levels",
  },
  {
    laws: ["A10.affine", "A10.affine.ncll", "A10.affine.hinge", "A6.numbers", "A6.integral"],
    subjects: ["network of levels"],
    reason: "no column is a number",
  },
  {
    laws: ["A5.logistic"],
    subjects: ["network in each class", "network of lines in each class"],
    reason: "the posterior is not a softmax of the columns themselves",
  },
  {
    laws: ["A15"],
    subjects: ["network of levels", "network of numbers", "network with a hidden column"],
    reason: "the model has no label to predict",
  },
  {
    laws: ["A6.worlds"],
    subjects: ["network of levels"],
    reason: "networks are enumerated by structures/network/enumeration.test.ts",
  },
  {
    laws: ["A6.worlds", "A6.numbers"],
    subjects: [
      "network of numbers",
      "mixture of networks",
      "network in each class",
      "network with a hidden column",
      "network of lines in each class",
    ],
    reason: "networks are enumerated by structures/network/enumeration.test.ts",
  },
  {
    laws: ["A6.conditional"],
    subjects: [
      "network of levels",
      "network of numbers",
      "network in each class",
      "network with a hidden column",
      "network of lines in each class",
    ],
    reason: "the model is not one normal over several columns",
  },
  {
    laws: ["A9.recovered"],
    subjects: ["mixture of networks", "network with a hidden column"],
    reason: "the components of a mixture may change places, or merge",
  },
  {
    laws: ["A2.shares"],
    subjects: [
      "network of levels",
      "network of numbers",
      "mixture of networks",
      "network in each class",
      "network with a hidden column",
      "network of lines in each class",
    ],
    reason: "every leaf has one column, which is its one share",
  },
  {
    laws: ["A8.update"],
    subjects: ["network with a hidden column"],
    reason: "a mixture forgets who was who: earlier rows are fixed as they were guessed",
  },
  {
    laws: ["B.unseen"],
    subjects: ["network of lines in each class"],
    reason: "no column has levels or words",
  },
  {
    laws: MATRIX,
    subjects: [
      "network of levels · missing labels · *",
      "network of numbers · missing labels · *",
      "network with a hidden column · missing labels · *",
    ],
    reason: "the model has no label that could be missing",
  },
  {
    laws: MATRIX,
    subjects: ["network of lines in each class · * · bayes*", "network of numbers · * · bayes*"],
    reason: "posteriors do not integrate out missing numbers that others depend on",
  },
  // networks over steps
  {
    laws: ["A3.bound", "A3.fixed", "A10.components", "A10.numbers"],
    subjects: ["network over steps", "network over steps in each class"],
    reason: "nothing is hidden: there is nothing to start from",
  },
  {
    laws: ["A3.bound"],
    subjects: ["network over steps with hidden columns", "mixture of networks over steps"],
    reason: "a network does not tell the entropy of what is missing in it",
  },
  {
    laws: ["A5.counting", "A5.most", "A5.average"],
    subjects: ["network over steps with hidden columns"],
    reason: "a mixture is never seen: nothing can be counted",
  },
  {
    laws: ["A5.strong"],
    subjects: ["network over steps"],
    reason: "nothing is chosen: the model has no switch",
  },
  {
    laws: ["A5.labels", "A7.onehot", "A7.copies", "A7.unlabelled", "A7.classes", "B.labels", "B.oneclass"],
    subjects: ["network over steps", "network over steps with hidden columns"],
    reason: "the model has no label",
  },
  {
    laws: ["A6.dropped"],
    subjects: [
      "network over steps",
      "network over steps with hidden columns",
      "network over steps in each class",
      "mixture of networks over steps",
    ],
    reason: "the model needs its only column",
  },
  {
    laws: ["A7.unsupervised", "A7.start", "A5.logistic"],
    subjects: ["network over steps", "network over steps with hidden columns"],
    reason: "the model is not classes(label, body) with one body",
  },
  {
    laws: ["A7.target", "A5.share", "A5.averaged", "A10.scale", "A10.order"],
    subjects: [
      "network over steps",
      "network over steps with hidden columns",
      "mixture of networks over steps",
    ],
    reason: "a bag of words cannot be a target",
  },
  {
    laws: ["A10.components"],
    subjects: ["network over steps with hidden columns", "mixture of networks over steps"],
    reason: "the tables of a network are not turned round here",
  },
  {
    laws: ["A10.levels", "A10.levels.ncll", "A10.levels.hinge"],
    subjects: [
      "network over steps",
      "network over steps with hidden columns",
      "mixture of networks over steps",
    ],
    reason: "no column has levels",
  },
  {
    laws: ["A10.affine", "A10.affine.ncll", "A10.affine.hinge", "A6.numbers", "A6.integral"],
    subjects: [
      "network over steps",
      "network over steps with hidden columns",
      "mixture of networks over steps",
    ],
    reason: "no column is a number",
  },
  {
    laws: ["A5.logistic"],
    subjects: ["network over steps in each class"],
    reason: "the posterior is not a softmax of the columns themselves",
  },
  {
    laws: ["A10.numbers"],
    subjects: ["network over steps with hidden columns", "mixture of networks over steps"],
    reason: "a bag of words cannot be a target",
  },
  {
    laws: ["A9.model", "A9.likely", "A9.sample", "A9.evidence", "A9.recovered"],
    subjects: [
      "network over steps",
      "network over steps with hidden columns",
      "network over steps in each class",
      "mixture of networks over steps",
    ],
    reason: "how many steps a row has is given, not modelled",
  },
  {
    laws: ["A9.given"],
    subjects: ["network over steps", "network over steps with hidden columns"],
    reason: "nothing is chosen: the model has no switch",
  },
  {
    laws: ["A15"],
    subjects: ["network over steps", "network over steps with hidden columns"],
    reason: "the model has no label to predict",
  },
  {
    laws: ["A6.worlds"],
    subjects: [
      "network over steps",
      "network over steps with hidden columns",
      "network over steps in each class",
      "mixture of networks over steps",
    ],
    reason: "networks are enumerated by structures/network/enumeration.test.ts",
  },
  {
    laws: ["A6.numbers"],
    subjects: ["network over steps in each class"],
    reason: "networks are enumerated by structures/network/enumeration.test.ts",
  },
  {
    laws: ["A6.conditional"],
    subjects: [
      "network over steps",
      "network over steps with hidden columns",
      "network over steps in each class",
    ],
    reason: "the model is not one normal over several columns",
  },
  {
    laws: ["A11.risk", "A11.mistakes", "A11.reject", "A11.prior"],
    subjects: ["network over steps"],
    reason: "no column has levels",
  },
  {
    laws: ["A6.explained", "A6.linear", "A2.linear"],
    subjects: [
      "network over steps",
      "network over steps with hidden columns",
      "network over steps in each class",
      "mixture of networks over steps",
    ],
    reason: "it goes by the cells of rows: those of steps are tried in structures/plate.test.ts",
  },
  {
    laws: ["A2.shares"],
    subjects: [
      "network over steps",
      "network over steps with hidden columns",
      "network over steps in each class",
      "mixture of networks over steps",
    ],
    reason: "every leaf has one column, which is its one share",
  },
  {
    laws: ["A8.update"],
    subjects: ["network over steps with hidden columns"],
    reason: "a mixture forgets who was who: earlier rows are fixed as they were guessed",
  },
  {
    laws: ["B.unseen"],
    subjects: [
      "network over steps",
      "network over steps with hidden columns",
      "network over steps in each class",
      "mixture of networks over steps",
    ],
    reason: "no column has levels or words",
  },
  {
    laws: [
      "A3",
      "A3.likelihood",
      "A1.matrix",
      "A13",
      "A14",
      "A8.resume",
      "A4",
      "A4.natural",
      "A4.prior",
      "A4.mass",
      "A8.state",
      "A4.totals",
      "A4.falls",
      "A5.still",
    ],
    subjects: [
      "network over steps · * · sdem*",
      "network over steps with hidden columns · * · sdem*",
      "mixture of networks over steps · * · sdem*",
    ],
    reason: "a bag of words cannot be a target",
  },
  {
    laws: MATRIX,
    subjects: [
      "network over steps · * · bayes*",
      "network over steps with hidden columns · * · bayes*",
      "network over steps in each class · * · bayes*",
      "mixture of networks over steps · * · bayes*",
    ],
    reason: "the model has parameters without a posterior here",
  },
  {
    laws: MATRIX,
    subjects: [
      "network over steps · missing labels · *",
      "network over steps with hidden columns · missing labels · *",
    ],
    reason: "the model has no label that could be missing",
  },
  {
    laws: ["A5.generative"],
    subjects: [
      "network over steps · * · onlineEm",
      "network over steps · * · sdem*",
      "network over steps with hidden columns · * · onlineEm",
      "network over steps with hidden columns · * · sdem*",
      "mixture of networks over steps · * · onlineEm",
      "mixture of networks over steps · * · sdem*",
    ],
    reason: "a bag of words cannot be a target",
  },
]

/** Does a name fit a pattern, `*` standing for any text? */
export function fits(name: string, pattern: string): boolean {
  const [head, ...rest] = pattern.split("*")
  if (rest.length === 0) return name === pattern
  if (!name.startsWith(head)) return false
  let at = head.length
  for (const part of rest.slice(0, -1)) {
    const found = name.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  const tail = rest[rest.length - 1]
  return name.length - tail.length >= at && name.endsWith(tail)
}
