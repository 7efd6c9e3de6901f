/**
 * The command line as it is documented: commands, options, and an example for each. Code is loaded when a command runs.
 * Long because it is the whole command line, in the order of its help.
 */
import { Command, Option } from "commander"
import { FORMATS } from "suffice-files/formats"
import { FAMILIES_ASKED } from "./families-asked.ts"
import { LEARNER_FLAGS } from "./learner-flags.ts"
import {
  arrows,
  counts,
  kinds,
  LEARNERS,
  list,
  oneOf,
  pairs,
  parserOf,
  positive,
  presetOrFile,
  probability,
  SCALINGS,
  SHELLS,
  type Shell,
  share,
  spaced,
  tiers,
  upToOne,
  wholeNumber,
} from "./options.ts"
import type { Session } from "./terminal/session.ts"

const FILES = FORMATS.filter(format => format !== "folder")
/** a, b or c */
function orList(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`
}

const AFTER = `
Exit codes: 0 done, 1 bad input or option, or a file that cannot be read or written, 70 a fault of Suffice,
            130 stopped by Ctrl-C (129 by SIGHUP, 143 by SIGTERM), 141 whoever read the output closed it.

Examples:
  suffice example penguins > penguins.csv
  suffice fit penguins.csv --label species -o model.json
  suffice predict model.json penguins.csv`

/** `tell` receives help and the version. */
export function program(session: Session, tell: (text: string) => void): Command {
  const output = { writeOut: tell, outputError: () => undefined }
  const root = new Command("suffice")
    .description(
      "Generative models of tables and text: learn from a file, ask questions, get answers with probabilities.",
    )
    .version(session.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .commandsGroup("Beside:")
    .helpCommand("help [command]", "print the help of a command")
    .configureOutput(output)
    .exitOverride()
    .addHelpText("after", AFTER)
  for (const add of [
    fit,
    predict,
    evaluate,
    compare,
    cluster,
    topics,
    structure,
    query,
    describe,
    explain,
    impute,
    sample,
  ])
    add(root, session)
  studio(root, session)
  exampleTable(root, session)
  completion(root, session)
  for (const command of root.commands) command.exitOverride().configureOutput(output)
  grouped(root)
  root.hook("preAction", (_, command) => {
    const { output, report, assign } = command.opts<Readonly<Record<string, unknown>>>()
    session.writesFiles = [output, report, assign].some(file => file !== undefined)
  })
  return root
}

// ── commands ───────────────────────────────────────────────────────────────────────────────────────

function fit(root: Command, session: Session): void {
  const command = root
    .command("fit")
    .summary("learn a model from a file, and say how good it is")
    .description(
      "Learn a model from a file: the one that fits best, and how it is learned best, unless --model and --learner say. Prints what the columns are, what was tried, how good the model is on rows it has not seen, and what it goes by.",
    )
    .argument(
      "[data...]",
      `a file (${FILES.join(", ")}; .gz or .zip), several with the same columns, - for the standard input, or a folder of text files per label`,
    )
    .option("--label <column>", "the column to predict")
    .option("--text <column>", "a column of text, read as words (again for more)", list)
    .option(
      "--model <preset|file>",
      "auto (what fits best), base-rate, naive-bayes, naive-bayes-normal, diagonal, lda, qda, tan, mixture-per-class, mixture-lda; of a number linear, normal, mixture-normal, log-normal, mixture-log-normal, base-rate-normal; without a label mixture; of sequences hmm, tagger; or a JSON file, or a network as .bif, .xmlbif, .xdsl or .net, whose arrows it has",
      presetOrFile,
      "auto",
    )
    .option(
      "--by <columns>",
      "of linear and normal: columns of levels, each with a regression of its own",
      list,
    )
    .addOption(
      new Option(
        "--learner <name>",
        "em (counting where nothing is hidden), online-em, sdem, or bayes (a posterior over the parameters) (default: what fits best)",
      ).argParser(oneOf("--learner", LEARNERS)),
    )
  for (const flag of LEARNER_FLAGS)
    command.addOption(new Option(flag.flag, flag.help).argParser(parserOf(flag)))
  command
    .option("--components <n>", "of mixtures", wholeNumber("--components", 1))
    .option("--tag <column>", "of sequences: the column to predict for each step")
    .option(
      "--states <n>",
      "of sequences: how many hidden states there are (default: 3)",
      wholeNumber("--states", 1),
    )
    .option(
      "--temperature <t>",
      "soften the probabilities of the label, p to the power of 1/t",
      positive("--temperature"),
    )
    .option("--doubt <share>", "and spread this share of them over all levels", upToOne("--doubt"))
    .option("--weight <column>", "a column of row weights")
    .option("--test <file>", "measure on this file")
    .option(
      "--holdout <share>",
      "else on this share of the rows, held out; 0 learns from all (default: 0.2)",
      share("--holdout"),
    )
    .option(
      "--threads <n>",
      "how many threads EM learns in (default: as the work asks)",
      wholeNumber("--threads", 1),
    )
    .option("--checkpoint <file>", "keep the state of learning there, and go on from it if it is there")
    .option("-o, --output <file>", "write the model there")
    .option("--report <file>", "write a report there: one HTML file that opens offline")
  engineOptions(command)
  textOptions(command)
  sequenceOptions(command)
  dataOptions(command)
  commonOptions(command, true)
  example(command, "suffice fit penguins.csv --label species --seed 7 -o model.json --report report.html")
  command.action(async (data, options) =>
    (await import("./commands/fit.ts")).fitCommand(session, data, options),
  )
}

function predict(root: Command, session: Session): void {
  const command = root
    .command("predict")
    .summary("predict a column of every row")
    .description(
      "Predict the label, or any other column, of every row: CSV with the number of the row, the value and its probabilities.",
    )
    .argument("<model>", "a model that fit has written")
    .argument("[data...]", "the rows to predict; - is the standard input")
    .option("--target <column>", "the column to predict, if not the label")
    .option(
      "--keep <columns>",
      "columns of the data to repeat in the output, in place of the row number",
      list,
    )
    .option("--append", "repeat all columns of the data, and put the answers behind them")
    .option("--no-probabilities", "only the value and its probability")
    .option("--path", "of sequences: the most probable states of all steps together")
    .option("--past", "of sequences: a step is predicted from those up to it, nothing later")
    .option(
      "-o, --output <file>",
      "write there instead of to the standard output: .csv, .tsv, .xlsx, .parquet, .json or .ndjson",
    )
  engineOptions(command)
  command.option(
    "--into <table>",
    "with --engine: the table that is made there, with an answer for every row",
  )
  tableOptions(command)
  sequenceOptions(command)
  dataOptions(command)
  commonOptions(command)
  example(command, "suffice predict model.json penguins.csv -o predictions.csv")
  command.action(async (model, data, options) =>
    (await import("./commands/predict.ts")).predictCommand(session, model, data, options),
  )
}

function evaluate(root: Command, session: Session): void {
  const command = root
    .command("evaluate")
    .summary("measure a model on rows whose truth is known")
    .description(
      "Measure a model on rows whose truth is known: accuracy, log-loss, calibration, confusion, with intervals.",
    )
    .argument("<model>", "a model that fit has written")
    .argument("[data...]", "rows it has not learned from")
    .option("--target <column>", "the column to measure, if not the label")
    .option("--weight <column>", "a column of row weights")
    .option("--report <file>", "write a report there")
  engineOptions(command)
  sequenceOptions(command)
  dataOptions(command)
  commonOptions(command)
  example(command, "suffice evaluate model.json penguins.csv")
  command.action(async (model, data, options) =>
    (await import("./commands/evaluate.ts")).evaluateCommand(session, model, data, options),
  )
}

function compare(root: Command, session: Session): void {
  const command = root
    .command("compare")
    .summary("generative or discriminative: which is better here?")
    .description(
      "The same model learned by counting, by conditional likelihood and by hinge loss, beside logistic regression and a linear SVM, cross-validated on the same folds.",
    )
    .argument("[data...]", "a file, several, or - for the standard input")
    .option("--label <column>", "the column to predict")
    .option("--tag <column>", "of sequences: the column to predict for each step")
    .option("--text <column>", "a column of text, read as words (again for more)", list)
    .option(
      "--model <preset|file>",
      "auto (what fits best), naive-bayes, naive-bayes-normal, diagonal, lda, qda, tan, mixture-per-class, mixture-lda; of sequences hmm, tagger; or a JSON file",
      presetOrFile,
      "auto",
    )
    .option("--components <n>", "of mixtures", wholeNumber("--components", 1))
    .option(
      "--states <n>",
      "of sequences: how many hidden states there are (default: 3)",
      wholeNumber("--states", 1),
    )
    .option("--folds <n>", "how many folds (default: 5)", wholeNumber("--folds", 2))
    .option(
      "--rows <n>",
      "compare on at most so many rows, drawn by chance (default: 20000)",
      wholeNumber("--rows", 10),
    )
    .option("--no-curve", "leave the learning curve out")
    .option("--report <file>", "write a report there")
  textOptions(command)
  sequenceOptions(command)
  dataOptions(command)
  commonOptions(command, true)
  example(command, "suffice compare penguins.csv --label species --folds 3 --no-curve")
  command.action(async (data, options) =>
    (await import("./commands/compare.ts")).compareCommand(session, data, options),
  )
}

function cluster(root: Command, session: Session): void {
  const command = root
    .command("cluster")
    .summary("find groups that nobody named, and how many")
    .description(
      "Find groups by a mixture model, and how many there are by an information criterion or by evidence.",
    )
    .argument("[data...]", "a file, several, or - for the standard input")
    .option("--k <range>", "numbers of groups to try: 2..10, or 3, or 2,4,8 (default: 1..6)", counts("--k"))
    .addOption(
      new Option(
        "--criterion <name>",
        "what decides: bic, aic, icl, or evidence, the parameters integrated out",
      ).argParser(oneOf("--criterion", ["bic", "aic", "icl", "evidence"])),
    )
    .addOption(
      new Option(
        "--covariance <kind>",
        "model the numbers together: full, tied, diag, spherical or identity",
      ).argParser(oneOf("--covariance", ["full", "tied", "diag", "spherical", "identity"])),
    )
    .option("--text <column>", "a column of text, read as words (again for more)", list)
    .option("--except <columns>", "columns to leave out", list)
    .option(
      "--states <n>",
      "of sequences: how many hidden states each group has (default: 3)",
      wholeNumber("--states", 1),
    )
    .option("--restarts <n>", "beginnings to choose from", wholeNumber("--restarts", 1))
    .option(
      "--assign <file>",
      "write the group of every row there: .csv, .tsv, .xlsx, .parquet, .json or .ndjson",
    )
    .option("-o, --output <file>", "write the model there")
    .option("--report <file>", "write a report there")
  textOptions(command)
  sequenceOptions(command)
  dataOptions(command)
  commonOptions(command, true)
  example(command, "suffice cluster penguins.csv --except species --k 1..4 --covariance full --seed 1")
  command.action(async (data, options) =>
    (await import("./commands/cluster.ts")).clusterCommand(session, data, options),
  )
}

function topics(root: Command, session: Session): void {
  const command = root
    .command("topics")
    .summary("find what documents are about")
    .description(
      "Find the topics of a column of text: their words, how much of the documents they make up, and how many there are. With a label, what describes each class and what tells it apart.",
    )
    .argument("[data...]", "a file, several, - for the standard input, or a folder of text files")
    .option("--text <column>", "the column of documents (default: the only one that looks like text)")
    .option(
      "--k <range>",
      "numbers of topics to try: 20, or 10,20,50, or 5..50, of which about eight are tried (default: 20)",
      spaced("--k"),
    )
    .option("--label <column>", "classes of the documents, to compare")
    .option("-o, --output <file>", "write the model there")
    .option("--report <file>", "write a page there: one HTML file that opens offline")
  textOptions(command)
  dataOptions(command)
  commonOptions(command, true)
  example(
    command,
    "suffice topics headlines.csv --text headline --k 5..20 --stop-words en --report topics.html",
  )
  command.action(async (data, options) =>
    (await import("./commands/topics.ts")).topicsCommand(session, data, options),
  )
}

function structure(root: Command, session: Session): void {
  const command = root
    .command("structure")
    .summary("find which columns depend on which")
    .description(
      "Find a Bayesian network in a table: which columns depend on which, and of which arrows the rows tell the direction.",
    )
    .argument("[data...]", "a file, several, or - for the standard input")
    .addOption(
      new Option(
        "--search <name>",
        "orders (the default), tabu, tree (one parent each), tan (the same below --target) or pc (tests of independence)",
      ).argParser(oneOf("--search", ["orders", "tabu", "tree", "tan", "pc"])),
    )
    .addOption(
      new Option("--score <name>", "bic (the default of orders and tabu), aic, bdeu or evidence").argParser(
        oneOf("--score", ["bic", "aic", "bdeu", "evidence"]),
      ),
    )
    .option("--target <column>", "of tan: the label that every column depends on")
    .option("--require <parent:child>", "an arrow that must be there (again for more)", arrows("--require"))
    .option("--forbid <parent:child>", "an arrow that must not be there (again for more)", arrows("--forbid"))
    .option("--tiers <a,b/c>", "columns from causes to effects: no arrow leads back", tiers)
    .option("--max-parents <n>", "at most so many parents of a column", wholeNumber("--max-parents", 0))
    .option(
      "--strengths <n>",
      "how often each arrow is found in so many bootstrap samples",
      wholeNumber("--strengths", 1),
    )
    .option("--except <columns>", "columns to leave out", list)
    .option(
      "-o, --output <file>",
      "learn the probabilities and write the network there: .json, .bif, .xmlbif, .xdsl, .net; its graph as .dot",
    )
    .option("--report <file>", "write a report there, with the graph: one HTML file that opens offline")
  dataOptions(command)
  commonOptions(command, true)
  example(command, "suffice structure penguins.csv --seed 1 -o network.json --report network.html")
  command.action(async (data, options) =>
    (await import("./commands/structure.ts")).structureCommand(session, data, options),
  )
}

function query(root: Command, session: Session): void {
  const command = root
    .command("query")
    .summary("ask a model for probabilities, given what is known or set")
    .description(
      "The probabilities of one column or of several together, given what is known of a row. --do sets a column of a network from outside, whatever its parents say: what would happen, not what is seen.",
    )
    .argument(
      "<model>",
      "a model that fit or structure has written, or a network: .bif, .xmlbif, .xdsl, .net",
    )
    .requiredOption("--of <columns>", "the columns that are asked for (again for more)", list)
    .option("--given <column=value>", "what is known (again for more)", pairs("--given"))
    .option("--do <column=value>", "what is set from outside (again for more)", pairs("--do"))
  commonOptions(command)
  example(command, "suffice query network.json --of species --given island=Biscoe")
  command.action(async (model, options) =>
    (await import("./commands/query.ts")).queryCommand(session, model, options),
  )
}

function describe(root: Command, session: Session): void {
  const command = root
    .command("describe")
    .summary("print every parameter of a model, by name")
    .description("Print what a model has learned: every parameter by name, in the units of the data.")
    .argument("<model>", "a model that fit has written")
    .option(
      "--credible <probability>",
      "of a model learned by bayes: intervals that hold every parameter with this probability",
      probability("--credible"),
    )
  commonOptions(command)
  example(command, "suffice describe model.json")
  command.action(async (model, options) =>
    (await import("./commands/describe.ts")).describeCommand(session, model, options),
  )
}

function explain(root: Command, session: Session): void {
  const command = root
    .command("explain")
    .summary("say why a row is predicted as it is")
    .description("Say why a row is predicted as it is: what each column, or word, adds to the log-odds.")
    .argument("<model>", "a model that fit has written")
    .argument("[data...]", "a file, several, or - for the standard input")
    .option("--row <n>", "which row; the first is 1 (default: 1)", wholeNumber("--row", 1))
    .option("--target <column>", "the column to explain, if not the label")
    .option("--level <level>", "argue for this level, if not for the predicted one")
    .option("--against <level>", "argue against this level, if not against the next best")
  dataOptions(command)
  commonOptions(command)
  example(command, "suffice explain model.json penguins.csv --row 5")
  command.action(async (model, data, options) =>
    (await import("./commands/explain.ts")).explainCommand(session, model, data, options),
  )
}

function impute(root: Command, session: Session): void {
  const command = root
    .command("impute")
    .summary("fill missing cells")
    .description("Fill missing cells with what is most probable given the rest of the row.")
    .argument("<model>", "a model that fit has written")
    .argument("[data...]", "the rows to fill")
    .option("--spread", "add a column for each filled one: how unsure the filling is")
    .option("--draw", "fill by chance, as the model says, instead of with the best guess")
    .option(
      "-o, --output <file>",
      "write there instead of to the standard output: .csv, .tsv, .xlsx, .parquet, .json or .ndjson",
    )
  tableOptions(command)
  dataOptions(command)
  commonOptions(command, true)
  example(command, "suffice impute model.json penguins.csv -o filled.csv")
  command.action(async (model, data, options) =>
    (await import("./commands/impute.ts")).imputeCommand(session, model, data, options),
  )
}

function sample(root: Command, session: Session): void {
  const command = root
    .command("sample")
    .summary("draw new rows")
    .description("Draw new rows from a model.")
    .argument("<model>", "a model that fit has written")
    .option("-n, --rows <n>", "how many (default: 10)", wholeNumber("-n", 0))
    .option("--given <column=value>", "what is known of the rows (again for more)", pairs("--given"))
    .option("--words <n>", "how long texts are", wholeNumber("--words", 0))
    .option("--steps <n>", "how many steps a sequence has", wholeNumber("--steps", 1))
    .option(
      "-o, --output <file>",
      "write there instead of to the standard output: .csv, .tsv, .xlsx, .parquet, .json or .ndjson",
    )
  tableOptions(command)
  commonOptions(command, true)
  example(command, "suffice sample model.json -n 5 --given species=Gentoo --seed 1")
  command.action(async (model, options) =>
    (await import("./commands/sample.ts")).sampleCommand(session, model, options),
  )
}

function studio(root: Command, session: Session): void {
  const command = root
    .command("studio")
    .summary("open the studio: models in the browser, without code")
    .description(
      "Serve the studio on this machine (127.0.0.1) until Ctrl-C: a web page in which a file becomes a model that is measured, explained and used. Nothing leaves the machine.",
    )
    .argument("[file]", "a table, or a model that fit has written, to open in it")
    .option("--port <n>", "the port to serve it on (default: any that is free)", wholeNumber("--port", 1))
    .option("--no-open", "print the address only, and open no browser")
  commonOptions(command)
  example(command, "suffice studio penguins.csv")
  command.action(async (file, options) =>
    (await import("./commands/studio.ts")).studioCommand(session, file, options),
  )
}

function exampleTable(root: Command, session: Session): void {
  const command = root
    .command("example")
    .summary("print a small table to try things on")
    .description("Print one of the tables of the documentation, as CSV; without a name, which there are.")
    .argument("[name]", "penguins or visits")
  example(command, "suffice example penguins > penguins.csv")
  command.action(async (name?: string) =>
    (await import("./commands/example.ts")).exampleCommand(session, name),
  )
}

function completion(root: Command, session: Session): void {
  const command = root
    .command("completion")
    .summary("print what a shell needs to complete the command")
    .description("Print what bash, zsh or fish needs to complete commands, options and their words.")
    .argument("<shell>", "bash, zsh or fish", oneOf("shell", SHELLS))
  example(command, "suffice completion bash")
  command.action(async (shell: Shell) =>
    session.put((await import("./completion.ts")).completion(root, shell)),
  )
}

/** The headings of help. */
const OWN = "Options:"
const SEQUENCES = "Sequences, whose rows are steps:"
const SPARK = "Rows on a Spark cluster:"
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  "Learn:": ["fit", "compare", "cluster", "topics", "structure"],
  "Ask a model:": ["predict", "evaluate", "query", "describe", "explain", "impute", "sample"],
}

/** Commands by what they are for, and each option below what it is about. */
function grouped(root: Command): void {
  for (const command of root.commands) {
    const heading = Object.keys(GROUPS).find(one => GROUPS[one].includes(command.name()))
    if (heading !== undefined) command.helpGroup(heading)
    for (const option of command.options) {
      if (["--tag", "--states", "--path", "--past"].includes(option.long!)) option.helpGroup(SEQUENCES)
      if (option.long === "--into") option.helpGroup(SPARK)
    }
  }
}

// ── options that several have ──────────────────────────────────────────────────────────────────────

/** How the text columns of a preset become words. */
function textOptions(command: Command): void {
  command.optionsGroup("Words of text:")
  command
    .option(
      "--ngrams <n>",
      "of text: runs of up to n neighbouring words are words too",
      wholeNumber("--ngrams", 1),
    )
    .option(
      "--stop-words <language>",
      "of text: drop the most frequent words of a language, as english or en",
    )
    .option("--stem <language>", "of text: cut the endings of words, by the Snowball stemmer of a language")
    .option(
      "--min-documents <n>",
      "of text: only words that stand in so many rows",
      wholeNumber("--min-documents", 1),
    )
    .option(
      "--max-documents <share>",
      "of text: only words that stand in at most this share of the rows",
      share("--max-documents"),
    )
    .option("--max-words <n>", "of text: only the n words in most rows", wholeNumber("--max-words", 1))
    .option(
      "--hash <n>",
      "of text: n buckets in place of words, for vocabularies without end",
      wholeNumber("--hash", 1),
    )
    .addOption(
      new Option("--scaling <name>", "of text: what a count weighs: raw, log, l2 or tfidf").argParser(
        oneOf("--scaling", SCALINGS),
      ),
    )
  command.optionsGroup(OWN)
}

function tableOptions(command: Command): void {
  command.option("--safe-csv", "put a ' before text that a spreadsheet would take for a formula")
}

/** Rows that are steps. */
function sequenceOptions(command: Command): void {
  command.optionsGroup(SEQUENCES)
  command
    .option(
      "--sequence <column>",
      "rows are steps, and those with the same cell here are one sequence (a CoNLL file says itself)",
    )
    .option("--order <column>", "rows are steps, in the order of this column (default: as they come)")
  command.optionsGroup(OWN)
}

function engineOptions(command: Command): void {
  command.optionsGroup(SPARK)
  command
    .option(
      "--engine <address>",
      "the rows are on a Spark cluster, sc://host:15002/;token=…: DATA is a table there, or parquet.`s3a://…`; with --sql, --order names columns that are different in every row",
    )
    .option("--node <command>", "with --engine: what runs Node on its workers (default: node)")
  command.optionsGroup(OWN)
}

function dataOptions(command: Command): void {
  command.optionsGroup("How the data is read:")
  command
    .option("--sql <query>", "read what this DuckDB query selects, instead of a file")
    .option(
      "--as <column=kind>",
      `read a column as number, category, text, count or ignore, dates as their parts, or model it as ${orList(FAMILIES_ASKED)} (again for more)`,
      kinds,
    )
    .option(
      "--missing <cells>",
      "further cells that mean missing, beside empty, ?, NA, NaN, null, #N/A",
      list,
    )
    .option("--delimiter <character>", "what stands between cells, if it is not found by looking")
    .option("--no-header", "the first line is a row, not names")
    .addOption(
      new Option(
        "--decimal <sign>",
        "the sign before decimals, . or , if it is not found by looking",
      ).argParser(oneOf("--decimal", [".", ","])),
    )
    .addOption(
      new Option("--thousands <sign>", "what parts thousands: , or . or ' or blank; none: nothing").argParser(
        (text: string) =>
          text === "none" ? "" : text === "blank" ? " " : oneOf("--thousands", [",", ".", "'", " "])(text),
      ),
    )
    .option("--names <names>", "of CoNLL: names of the columns (default: c1,c2 …)", list)
    .option("--sheet <name>", "of a workbook: the name of the sheet, or its number (default: the first)")
    .addOption(
      new Option("--quote <character>", "what cells are quoted with; none: nothing").argParser(
        (text: string) => (text === "none" ? "" : oneOf("--quote", ['"', "'"])(text)),
      ),
    )
    .addOption(
      new Option(
        "--encoding <name>",
        "utf-8, utf-16, windows-1252 or latin-1, which is read as that",
      ).argParser(oneOf("--encoding", ["utf-8", "utf-16", "windows-1252", "latin-1"])),
    )
    .addOption(
      new Option(
        "--format <name>",
        `${FORMATS.slice(0, -1).join(", ")} or ${FORMATS.at(-1)}, if the name does not say it`,
      ).argParser(oneOf("--format", FORMATS)),
    )
  command.optionsGroup(OWN)
}

function commonOptions(command: Command, random = false): void {
  if (random)
    command.option(
      "--seed <n>",
      "the seed of everything that is drawn (default: 0)",
      wholeNumber("--seed", 0),
    )
  command
    .optionsGroup("Every command:")
    .option("--json", "print one JSON object, and nothing else, to the standard output")
    .option("--quiet", "no notes and no progress")
    .option("--debug", "print where an error came from")
    .helpOption("-h, --help", "print help")
}

function example(command: Command, line: string): void {
  command.addHelpText("after", `\nExample:\n  ${line}`)
}
