/** Networks: found in the rows that are learned from, and asked what follows from what is seen and from what is done. */
import type { Columns } from "suffice"
import { graphIn } from "suffice/describe"
import type { Search } from "suffice/structure"
import { beginning, type LooseFitted, networkFamilies, prepared } from "suffice-cli/browser"
import { proposeModel } from "suffice-files/columns"
import type { Evidence, Found, ModelColumn, NetworkColumn, Spec } from "../bench/types.ts"
import { noFiles } from "./gallery.ts"
import { optionsOf } from "./run-task.ts"
import type { OpenTable } from "./table.ts"

/** A declared model, found in the rows that are learned from. */
export async function found(
  { table, reports, settings }: OpenTable,
  search: Search,
  signal: AbortSignal,
): Promise<{ spec: Spec; found: Found }> {
  const { label, seed, weight } = settings
  const named = {
    ...optionsOf(settings, { kind: "auto" }, { learner: "em" }),
    model: label === undefined ? "mixture" : "naive-bayes",
  }
  const { parts } = await prepared(table, named, { signal, modelIn: noFiles })
  const proposal = proposeModel(reports, label === undefined ? {} : { label })
  const rows = (await beginning(parts.train)) as Columns
  const { structure } = await import("suffice/structure")
  const { model, edges, leftOut, diagnostics } = await structure(rows, {
    search,
    families: networkFamilies(proposal as never),
    seed,
    signal,
    ...(weight !== undefined && { weight }),
    ...(label !== undefined && { target: label }),
  })
  return {
    spec: JSON.parse(JSON.stringify(model.spec)) as Spec,
    found: {
      search,
      edges,
      notes: [
        ...leftOut.map(({ column, why }) => `${column} is left out: ${why}.`),
        ...diagnostics.map(({ message }) => message),
      ],
    },
  }
}

/** The network of a model that is one, or has one below its label. */
export function networkIn(
  { model }: LooseFitted,
  columns: readonly ModelColumn[],
): NetworkColumn[] | undefined {
  const levels = new Map(columns.filter(({ kind }) => kind === "level").map(one => [one.name, one.levels]))
  return graphIn(model.spec)?.map(({ name, parents }) => ({
    name,
    parents,
    ...(levels.has(name) && { levels: levels.get(name)! }),
  }))
}

/** Of every column with levels that is not known: its probabilities, given what is seen and what is done. */
export function askedOf(
  fitted: LooseFitted,
  columns: readonly NetworkColumn[],
  { seen, done }: Evidence,
  typed: (cells: Readonly<Record<string, string>>) => Record<string, unknown>,
): Record<string, Record<string, number>> {
  const [given, held] = [typed(seen), typed(done)]
  const open = columns.filter(({ name, levels }) => levels && !(name in seen) && !(name in done))
  return Object.fromEntries(
    open.map(({ name }) => {
      const { entries } = fitted.query({
        of: [name],
        given,
        ...(Object.keys(held).length > 0 && { do: held }),
      } as never)
      return [
        name,
        Object.fromEntries(
          entries.map(({ levels, probability }) => [
            String((levels as Readonly<Record<string, unknown>>)[name]),
            probability,
          ]),
        ),
      ]
    }),
  )
}
