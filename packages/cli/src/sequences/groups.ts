/** Sequences of a file, grouped by a mixture of hidden Markov models. */
import { chain, mixture } from "suffice"
import { openData } from "../data.ts"
import { Failure } from "../failure.ts"
import { many, percent } from "../format.ts"
import { type Grouping, type GroupOptions, type Groups, mostProbable, NAME, readAs } from "../grouping.ts"
import type { LooseFitted, LooseModel } from "../loose.ts"
import { type Given, type Open, opened } from "../opened.ts"
import { oneBatch } from "../predictions.ts"
import { basisOf } from "../training.ts"
import { type SequencesAnswer, sequencesAnswer, sequencesText } from "./data.ts"
import { bodyFor, columnsOfSteps, STATE } from "./model.ts"
import { cutOf, STATES } from "./options.ts"
import { chainsAnswer, chainsText } from "./states.ts"
import { type Sequences, STEPS, sequencesIn } from "./table.ts"

const TRIED = [1, 2, 3, 4]
const RESTARTS = 3

export async function openGrouping({
  session,
  paths,
  options,
}: Given<GroupOptions>): Promise<Open<Grouping>> {
  const { states = STATES } = options
  const cut = cutOf(options, paths)
  const sequence = checked(options, cut.sequence)
  const reading = session.progress("reading")
  const table = await openData(
    paths,
    { ...options, as: readAs(options) },
    { signal: session.signal, onRows: rows => reading.advance(rows) },
  )
  return opened(table, async () => {
    const reports = await table.summary()
    const { body, pooled, families } = await bodyFor(options, reports, Object.values(cut))
    const mixtureOf = (groups: number): LooseModel =>
      mixture(groups, chain(states, body, { column: STEPS, name: STATE }) as never, {
        name: NAME,
      }) as unknown as LooseModel
    const { pooling } = await import("suffice-files")
    const { steps } = columnsOfSteps(mixtureOf(1))
    const all = await sequencesIn(table, steps, cut, { prepared: pooling(pooled) })
    reading.stop()
    const data = sequencesAnswer(table.name, reports, { families }, {}, cut, all)
    return {
      data,
      text: sequencesText(data),
      columns: async () => all.columns,
      tried: TRIED,
      restarts: RESTARTS,
      mixture: mixtureOf,
      suggestsMore: false,
      groups: (fitted, groups) => groupsOf(fitted, groups, data, all, { sequence, states }),
    }
  })
}

/** The column that tells sequences apart, if the options go together. */
function checked({ criterion, covariance }: GroupOptions, sequence: string | undefined): string {
  if (criterion === "evidence") {
    throw new Failure(
      "usage",
      "--criterion is evidence, and the rows are sequences. A chain has no posterior here, whose parameters could be integrated out. Use --criterion bic, aic or icl.",
    )
  }
  if (sequence === undefined) {
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
  return sequence
}

function groupsOf(
  fitted: LooseFitted,
  groups: number,
  data: SequencesAnswer,
  { columns, count, length }: Sequences,
  { sequence, states }: { readonly sequence: string; readonly states: number },
): Groups {
  const { groups: most, probability } = mostProbable(fitted, columns, groups)
  const chains = chainsAnswer(fitted)
  const sizes = Array.from({ length: groups }, (_, g) => {
    const size = most.filter(group => group === g).length
    return `${NAME} ${g}: ${many(size, "sequence")}, ${percent(size / most.length)}`
  })
  const sequences = many(count, "sequence")
  return {
    heading: `${many(groups, "group")} of ${sequences}`,
    paragraphs: [sizes.join("\n"), chainsText(chains)],
    answer: { chains },
    assigned: {
      columns: [sequence, NAME, "probability"],
      batches: oneBatch({ [sequence]: columns[sequence], [NAME]: most, probability }),
    },
    unit: "sequence",
    title: `${many(groups, "group")} of sequences in ${data.name}`,
    method: `a mixture of hidden Markov models of ${many(states, "state")} in ${sequences}`,
    size: `${sequences}, ${many(length, "step")}`,
    sections: () => ({ chains, basis: { ...basisOf(fitted), rows: length, unit: "step" } }),
  }
}
