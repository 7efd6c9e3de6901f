/**
 * What the columns of a CSV file are, and those of strings in other files, from their cells: all of them where the file is small, the first rows of a long one. Cells are
 * asked about as a list (column, cell), since DuckDB plans thousands of expressions slowly, and groups millions of rows fast.
 */
import { cellsAsked } from "../asked.ts"
import type { Numeral } from "../numerals.ts"
import { SIGNS, STAND_INS } from "../stand-ins.ts"
import type { ColumnType, TableOptions } from "../table.ts"
import {
  CLEAR,
  candidatesOf,
  DATE,
  type Known,
  mayBeNumerals,
  type Seen,
  type Textual,
  typeOf,
  usualDecimal,
  type Written,
} from "../written.ts"
import { type Database, literal } from "./database.ts"
import { currencyIn, isNumeral, numeralText } from "./numerals.ts"
import type { QueryColumn } from "./query.ts"

/** A column, and what DuckDB is to make of its cells when it reads the file. */
export interface CsvColumn extends QueryColumn {
  readonly csvType: "DOUBLE" | "BOOLEAN" | "VARCHAR"
  /** The longest cell, in bytes. */
  readonly longest?: number
}

const SOFT = `lower(t) in (${STAND_INS.map(literal).join(", ")})`
const SIGN = `t in (${SIGNS.map(literal).join(", ")})`

/** The columns of `from`, which has the cells as text in columns c0, c1 …; `all`: the places of those that are asked about. */
export async function columnsOf(
  database: Database,
  from: string,
  names: readonly string[],
  delimiter: string,
  options: TableOptions,
  all: readonly number[] = names.map((_, c) => c),
): Promise<CsvColumn[]> {
  const seen = await ask<Seen>(database, from, all, {
    rows: "count(*)::double",
    present: "count(v)::double",
    numbers: "count(n)::double",
    integers: "count(*) filter (n % 1 = 0)::double",
    codes: "count(*) filter (starts_with(v, '0') and length(v) > 1 and not contains(v, '.'))::double",
    longest: "coalesce(max(strlen(v)), 0)::double",
  })
  const others = all.filter(c => seen.get(c)!.numbers !== seen.get(c)!.present)
  const textual = await ask<Textual>(database, from, others, {
    booleans: "count(*) filter (lower(t) in ('true', 'false'))::double",
    dates: `count(*) filter (regexp_matches(v, ${literal(DATE)}))::double`,
    clear: `count(*) filter (regexp_matches(v, ${literal(DATE)}) and regexp_matches(t, ${literal(CLEAR)}))::double`,
    standIns: `count(*) filter (${SOFT})::double`,
    words: `list(distinct t order by t) filter (${SOFT})`,
    signs: `count(*) filter (${SIGN})::double`,
    levels: `(min(t) filter (not ${SIGN}) <> max(t) filter (not ${SIGN})) and count(*) filter (not ${SIGN} and not regexp_matches(t, '[\\pL\\pN]')) = 0`,
    digits: "count(*) filter (n is null and regexp_matches(v, '\\d'))::double",
    odd: `min(v) filter (n is null and not ${SOFT})`,
  })
  const numerals = candidatesOf(options)
  const isPlain = (c: number): boolean => !textual.has(c)
  const ask3 = (places: readonly number[]): Promise<Map<number, Written>> =>
    writtenOf(database, from, places, numerals)
  const written = await ask3(others.filter(c => mayBeNumerals(seen.get(c)!, textual.get(c)!)))
  // A decimal comma somewhere in the file: then 1.234 may be 1234 elsewhere.
  const fractions = all.filter(c => isPlain(c) && seen.get(c)!.numbers > seen.get(c)!.integers)
  const hasCommas = options.decimal === "," || [...written.values()].some(({ comma }) => comma > 0)
  if (numerals.some(({ decimal }) => decimal === ",") && hasCommas) {
    for (const [c, found] of await ask3(fractions)) written.set(c, found)
  }
  const usual = usualDecimal(seen, textual, written, fractions, delimiter)
  return all.map(c =>
    columnFrom(
      names[c],
      c,
      { seen: seen.get(c)!, textual: textual.get(c), written: written.get(c), usual },
      options,
    ),
  )
}

/** The answers to some questions about the cells (v, without blanks around it t, as a number n) of each of these columns. */
async function ask<Answers>(
  database: Database,
  from: string,
  places: readonly number[],
  questions: { readonly [name in keyof Answers]: string },
): Promise<Map<number, Answers>> {
  if (places.length === 0) return new Map()
  const asked = Object.entries<string>(questions).map(([name, expression]) => `${expression} as ${name}`)
  const columns = places.map(c => `c${c}`).join(", ")
  const cells = `(select c, v, trim(v) as t, try_cast(v as double) as n from (select ${columns} from ${from}) unpivot include nulls (v for c in (columns(*))))`
  const rows = await database.ask(`select c, ${asked.join(", ")} from ${cells} group by c`)
  const answers = new Map(rows.map(({ c, ...row }) => [Number((c as string).slice(1)), row as Answers]))
  if (answers.size === 0) {
    // No rows at all.
    const none = Object.fromEntries(Object.keys(questions).map(name => [name, 0]))
    return new Map(places.map(c => [c, none as Answers]))
  }
  return answers
}

// ── numbers as people write them ───────────────────────────────────────────────────────────────────

function writtenOf(
  database: Database,
  from: string,
  places: readonly number[],
  numerals: readonly Numeral[],
): Promise<Map<number, Written>> {
  const shapes = numerals.map(numeral => [numeral.decimal, isNumeral("t", numeral)] as const)
  const counted = (decimal: string): string => {
    const shape = shapes.find(([sign]) => sign === decimal)?.[1]
    return shape === undefined ? "0" : `count(*) filter (${shape})::double`
  }
  const either = shapes.map(([, shape]) => shape).join(" or ")
  return ask<Written>(database, from, places, {
    point: counted("."),
    comma: counted(","),
    percents: "count(*) filter (ends_with(t, '%'))::double",
    currencies: `list(distinct ${currencyIn("t")}) filter ((${either}) and ${currencyIn("t")} <> '')`,
    sample: `arg_max(t, strlen(t)) filter (${either})`,
  })
}

// ── one column ─────────────────────────────────────────────────────────────────────────────────────

function columnFrom(name: string, c: number, known: Known, options: TableOptions): CsvColumn {
  const { seen, textual } = known
  const asked = cellsAsked(options.as ?? {}, name)
  const { longest } = seen
  if (asked === "category" || asked === "text") return { ...textColumn(name, c, "string"), longest }
  const found = typeOf(known, options)
  const said = found.note === undefined ? {} : { note: found.note }
  if (asked === "number" || asked === "count") {
    const type = asked === "count" ? "integer" : "number"
    if (textual && textual.clear > 0 && textual.clear + textual.standIns === seen.present)
      return { ...dayColumn(name, c), ...said }
    const numeral = "numeral" in found ? found.numeral : undefined
    if (numeral || (textual?.standIns ?? 0) > 0) return { ...lenientColumn(name, c, type, numeral), ...said }
    return numberColumn(name, c, type)
  }
  switch (found.type) {
    case "number":
    case "integer":
      return {
        ...(found.numeral || found.lenient
          ? lenientColumn(name, c, found.type, found.numeral)
          : numberColumn(name, c, found.type)),
        ...said,
      }
    case "boolean":
      return {
        name,
        type: "boolean",
        expression: found.lenient
          ? `case when ${softly(c)} then null else trim(c${c})::boolean end`
          : `c${c}`,
        decoding: "boolean",
        csvType: found.lenient ? "VARCHAR" : "BOOLEAN",
        ...said,
      }
    default:
      return {
        ...textColumn(name, c, found.type, found.missing),
        ...said,
        longest,
        ...(seen.present === 0 && { empty: true }),
      }
  }
}

export function numberColumn(name: string, c: number, type: "number" | "integer"): CsvColumn {
  return { name, type, expression: `c${c}`, decoding: "number", csvType: "DOUBLE" }
}

function softly(c: number): string {
  return `lower(trim(c${c})) in (${STAND_INS.map(literal).join(", ")})`
}

/** Numbers among which stand-ins are missing, written as people do. */
export function lenientColumn(
  name: string,
  c: number,
  type: "number" | "integer",
  numeral?: Numeral,
): CsvColumn {
  const text = numeral ? numeralText(`trim(c${c})`, numeral) : `c${c}`
  const expression = `case when ${softly(c)} then null else cast(${text} as double) end`
  return { name, type, expression, decoding: "number", csvType: "VARCHAR" }
}

/** Dates as numbers: days since the beginning of 1970, with the time of day behind the point. */
function dayColumn(name: string, c: number): CsvColumn {
  const text = `replace(trim(c${c}), '/', '-')`
  const dayFirst = ["", " %H:%M", " %H:%M:%S"].map(time => literal(`%d.%m.%Y${time}`)).join(", ")
  const moment = `case when contains(${text}, '.') and regexp_matches(${text}, '^\\d{1,2}\\.') then strptime(${text}, [${dayFirst}]) else cast(${text} as timestamp) end`
  const expression = `case when ${softly(c)} then null else epoch(${moment}) / 86400 end`
  return {
    name,
    type: "number",
    expression,
    decoding: "number",
    csvType: "VARCHAR",
    note: "dates, as days since 1970-01-01",
  }
}

/** Blanks around text are typing, not meaning. */
export function textColumn(
  name: string,
  c: number,
  type: ColumnType,
  missing: readonly string[] = [],
): CsvColumn {
  const text = `trim(c${c})`
  const expression =
    missing.length === 0
      ? text
      : `case when ${text} in (${missing.map(literal).join(", ")}) then null else ${text} end`
  return { name, type, expression, decoding: "string", csvType: "VARCHAR" }
}
