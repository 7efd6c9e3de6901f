/** `suffice cluster` of sequences: groups of hidden Markov models, and how many. */
import { type Columns, chain, em, mixture } from "suffice"
import { choose } from "suffice/measure"
import { type CandidateAnswer, decidingValue } from "../../answers.ts"
import { type DataPaths, openData } from "../../data.ts"
import { Failure } from "../../failure.ts"
import { capitalised, many, percent, plain } from "../../format.ts"
import { breathing } from "../../learner.ts"
import type { LooseFitted, LooseModel } from "../../loose.ts"
import { sequencesAnswer, sequencesText } from "../../sequences/data.ts"
import { bodyFor, columnsOfSteps, STATE } from "../../sequences/model.ts"
import { cutOf, type SequenceOptions, STATES } from "../../sequences/options.ts"
import { type ChainAnswer, chainsAnswer, chainsText } from "../../sequences/states.ts"
import { STEPS, sequencesIn } from "../../sequences/table.ts"
import { rowCount } from "../../tabular.ts"
import { save } from "../../terminal/save.ts"
import { origin, type Session } from "../../terminal/session.ts"
import { shown } from "../../terminal/shown.ts"
import { textTable } from "../../terminal/table.ts"
import { tableOut } from "../../terminal/table-out.ts"
import { basisOf, trainingAnswer } from "../../training.ts"
import type { ClusterCommandOptions } from "../cluster.ts"

const TRIED = [1, 2, 3, 4]
const RESTARTS = 3
const NAME = "cluster"

export async function clusterSequences(
  session: Session,
  paths: DataPaths,
  options: ClusterCommandOptions & SequenceOptions,
): Promise<void> {
  const {
    k = TRIED,
    criterion = "bic",
    except = [],
    restarts = RESTARTS,
    seed = 0,
    states = STATES,
  } = options
  if (criterion === "evidence") {
    throw new Failure(
      "usage",
      "--criterion is evidence, and the rows are sequences. A chain has no posterior here, whose parameters could be integrated out. Use --criterion bic, aic or icl.",
    )
  }
  const { assign, output, report, covariance } = options
  const cut = cutOf(options, paths)
  if (cut.sequence === undefined) {
    throw new Failure(
      "usage",
      "cluster groups whole sequences, and nothing says which rows belong together. Name the column that tells them apart with --sequence.",
    )
  }
  if (covariance !== undefined) {
    throw new Failure(
      "usage",
      "--covariance is given for steps of sequences. Each column of a step has a distribution of its own there. Leave it out.",
    )
  }
  const as = { ...options.as, ...Object.fromEntries(except.map(column => [column, "ignore" as const])) }
  const reading = session.progress("reading")
  const table = await openData(
    paths,
    { ...options, as },
    { signal: session.signal, onRows: rows => reading.advance(rows) },
  )
  try {
    const reports = await table.summary()
    const { body, pooled, families } = await bodyFor(options, reports, Object.values(cut))
    const make = (groups: number): LooseModel =>
      mixture(groups, chain(states, body, { column: STEPS, name: STATE }) as never, {
        name: NAME,
      }) as unknown as LooseModel
    const { pooling } = await import("suffice-files")
    const all = await sequencesIn(table, columnsOfSteps(make(1)).steps, cut, { prepared: pooling(pooled) })
    reading.stop()
    const data = sequencesAnswer(table.name, reports, { families }, {}, cut, all)
    await session.print(sequencesText(data))

    const bar = session.progress("choosing", k.length, "numbers of groups")
    const chosen = await choose(
      k.map(groups => ({ name: String(groups), model: make(groups) })),
      all.columns,
      {
        criterion,
        seed,
        learners: { em: breathing(em({ restarts })) },
        signal: session.signal,
        onTrial: ({ model }) => bar.advance(1, many(Number(model), "group")),
      },
    )
    bar.stop()
    const groups = Number(chosen.model)
    const fitted = chosen.fitted as LooseFitted
    for (const { message } of fitted.diagnostics) session.note(`note: ${message}`)
    const candidates = chosen.trials.map(({ model, criteria }): CandidateAnswer => {
      const { aic, bic, icl } = criteria!
      return { k: Number(model), aic, bic, icl }
    })
    const found = assigned(fitted, all.columns, groups, cut.sequence)
    const chains = chainsAnswer(fitted)
    await session.print(clustersText(candidates, groups, criterion, found, chains))
    if (assign !== undefined) {
      await tableOut(session, assign, "the groups", [cut.sequence, NAME, "probability"], {
        async *[Symbol.asyncIterator]() {
          yield found
        },
      })
      await session.print(`\nThe group of every sequence is in ${shown(assign)}.`)
    }
    if (output !== undefined) {
      await save(output, "the model", put => put(`${JSON.stringify(fitted)}\n`))
      await session.print(`\nThe model is in ${shown(output)}.`)
    }
    if (report !== undefined) {
      const { report: drawn } = await import("../../report/page.ts")
      const page = drawn({
        title: capitalised(`${many(groups, "group")} of sequences in ${data.name}`),
        lead: `Found by a mixture of hidden Markov models of ${many(states, "state")} in ${many(all.count, "sequence")}; how many, by ${criterion.toUpperCase()}.`,
        command: session.command,
        facts: [
          ["data", `${data.name}, ${many(all.count, "sequence")}, ${many(all.length, "step")}`],
          ["beginnings per number", String(restarts)],
          ["seed", String(seed)],
          ...origin(session),
        ],
        warnings: fitted.diagnostics.map(({ message }) => message),
        data,
        candidates: { criterion, chosen: groups, each: candidates },
        chains,
        basis: { ...basisOf(fitted), rows: all.length, unit: "step" },
        ...(fitted.training && { training: trainingAnswer(fitted.training) }),
      })
      await save(report, "the report", put => put(page))
      await session.print(`\nThe report is in ${shown(report)}.`)
    }
    await session.answer({
      command: "cluster",
      data,
      k: groups,
      criterion,
      candidates,
      chains,
      parameters: fitted.describe(),
      seed,
      diagnostics: fitted.diagnostics,
      output: output ?? null,
      assign: assign ?? null,
      report: report ?? null,
    })
  } finally {
    await table.close()
  }
}

/** The most probable group of each sequence. */
function assigned(fitted: LooseFitted, columns: Columns, k: number, sequence: string): Columns {
  const chances = fitted.responsibilities(columns, { of: NAME as `mixture(${string})` })
  const groups = Array.from({ length: rowCount(columns) }, (_, i) => {
    let best = 0
    for (let c = 1; c < k; c++) if (chances[i * k + c] > chances[i * k + best]) best = c
    return best
  })
  return {
    [sequence]: columns[sequence],
    [NAME]: groups,
    probability: groups.map((group, i) => chances[i * k + group]),
  }
}

function clustersText(
  candidates: readonly CandidateAnswer[],
  chosen: number,
  criterion: string,
  found: Columns,
  chains: readonly ChainAnswer[],
): string {
  const tried = textTable(
    [
      { title: "groups", align: "right" },
      { title: "AIC", align: "right" },
      { title: "BIC", align: "right" },
      { title: "ICL", align: "right" },
      { title: "" },
    ],
    candidates.map(one => [
      String(one.k),
      ...["aic", "bic", "icl"].map(name => plain(decidingValue(one, name), 6)),
      one.k === chosen ? "← chosen" : "",
    ]),
  )
  const groups = Array.from(found[NAME] as ArrayLike<number>)
  const each = Array.from({ length: chosen }, (_, g) => {
    const own = groups.filter(group => group === g).length
    return `${NAME} ${g}: ${many(own, "sequence")}, ${percent(own / groups.length)}`
  })
  return [
    `${many(chosen, "group")} of ${many(groups.length, "sequence")}, by ${criterion.toUpperCase()} (lower is better):`,
    tried,
    each.join("\n"),
    chainsText(chains),
  ].join("\n\n")
}
