/**
 * What the compiler knows of data, targets and answers.
 *
 * The cells of a model are plain types by column name: `number` is a quantity; a union of literals, or `Level`, is a
 * level; `Bag` is a bag; a list that may hold null holds steps. An optional column is hidden: it can be a target, but no data holds it. A mistake is reported
 * by a sentence as the type of the argument, so that the first line of the compiler's message names the column.
 *
 * Long because data, targets and answers go by the same kinds of cells.
 */
import type { Cell, Level, Row, SoftLabel } from "../contract/cells.ts"
import type { Chained } from "../structures/columns.ts"
import type { Decision } from "./decide.ts"
import type { Explanation } from "./explain.ts"
import type { StepExplanation } from "./explain-step.ts"
import type { Predictor } from "./predictor.ts"

// ── fitted models ──────────────────────────────────────────────────────────────────────────────────

/** The cells of a fitted model's columns, and the name of its label. */
export type CellsOf<Self> = Self extends Predictor<infer Cells, infer _> ? Cells : never
export type TargetOf<Self> = Self extends Predictor<infer _, infer Target> ? Target : never

// ── targets ────────────────────────────────────────────────────────────────────────────────────────

/** Columns that can be a target: everything but bags and steps. Any string, if the columns are known only at run time. */
export type NameOf<Cells> = unknown extends Cells
  ? string
  : { [Name in keyof Cells]-?: Kind<Cells[Name]> extends "bag" | "steps" ? never : Name }[keyof Cells] &
      string

/** Columns with levels, which have a posterior. */
export type LevelNameOf<Cells> = unknown extends Cells
  ? string
  : {
      [Name in keyof Cells]-?: Kind<Cells[Name]> extends "bag" | "steps"
        ? never
        : IsQuantity<Cells, Name> extends true
          ? never
          : Name
    }[keyof Cells] &
      string

/** Columns that can be asked for: those of rows, and those of the steps of a chain. */
export type AskableNameOf<Cells> = unknown extends Cells ? string : NameOf<Cells> | StepNameOf<Cells>
export type AskableLevelOf<Cells> = unknown extends Cells ? string : LevelNameOf<Cells> | StepNameOf<Cells>

/** Columns of the steps of chains. */
export type StepNameOf<Cells> = unknown extends Cells
  ? never
  : {
      [Name in keyof Cells]-?: [StepRow<Cells[Name]>] extends [never] ? never : keyof StepRow<Cells[Name]>
    }[keyof Cells] &
      string

/** The rows that a chain's list of steps holds. */
type StepRow<V> = V extends readonly (infer Step)[] ? RowIn<NonNullable<Step>> : never
type RowIn<Step> = Step extends object ? (keyof Chained extends keyof Step ? Step : never) : never

/** A cell of the steps. */
type StepCellOf<Cells, Name> = {
  [Column in keyof Cells]-?: StepRow<Cells[Column]> extends infer R
    ? R extends unknown
      ? Name extends keyof R
        ? NonNullable<R[Name]>
        : never
      : never
    : never
}[keyof Cells]

/** Hidden switches, by their name or the default name of an unnamed one. */
export type HiddenNameOf<Cells> = unknown extends Cells
  ? string
  :
      | ({ [Name in keyof Cells]-?: IsHidden<Cells, Name> extends true ? Name : never }[keyof Cells] & string)
      | `mixture(${string})`

/** Columns whose levels an explanation can weigh: a mixture's components among them. */
export type ExplainedNameOf<Cells> = LevelNameOf<Cells> | HiddenNameOf<Cells>

// ── answers ────────────────────────────────────────────────────────────────────────────────────────

/** What `predict` returns: a level with its probability, or a number with its spread. */
export type Prediction<Value = Level> = [Value] extends [number]
  ? number extends Value
    ? NumberPrediction
    : LevelPrediction<Value>
  : LevelPrediction<Value & Level>

export interface LevelPrediction<L extends Level = Level> {
  readonly value: L
  readonly probability: number
  readonly probabilities: Readonly<Record<[L] extends [string | number] ? `${L}` : string, number>>
  /** Levels and words of this row that training never saw: they count as missing. */
  readonly unseen?: Readonly<Record<string, Level | readonly string[]>>
}

export interface NumberPrediction {
  readonly value: number
  readonly sd: number
  readonly interval: readonly [number, number]
  readonly unseen?: Readonly<Record<string, Level | readonly string[]>>
}

/** If columns are known only at run time: a level, unless the target turns out to be a number. */
export interface LoosePrediction extends LevelPrediction {
  readonly sd?: number
  readonly interval?: readonly [number, number]
}

/** A complete row of the model. */
export type RowOf<Cells> = unknown extends Cells ? Row : { readonly [Name in keyof Cells]: Cells[Name] }

/** Cells that may be known of a row; a hidden column has none. */
export type KnownOf<Cells> = unknown extends Cells
  ? Row
  : {
      readonly [Name in keyof Cells as IsHidden<Cells, Name> extends true ? never : Name]?: Cells[Name] | null
    }

/** The rows of the data with the model's cells filled: other columns, and bags, keep their type. */
export type FilledRowOf<Cells, Given> = unknown extends Cells | Given
  ? RowOf<Cells>
  : string extends keyof Cells
    ? RowOf<Cells>
    : Given extends readonly (infer R)[]
      ? Filled<Cells, R>
      : Filled<Cells, { readonly [Name in keyof Given]: CellOf<Given[Name]> }>

type Filled<Cells, R> = R extends unknown
  ? unknown extends R
    ? RowOf<Cells>
    : {
        readonly [Name in keyof R | SeenNameOf<Cells>]: Name extends SeenNameOf<Cells>
          ? Kind<Cells[Name]> extends "bag" | "steps"
            ? Name extends keyof R
              ? R[Name]
              : undefined
            : Cells[Name] | (Name extends keyof R ? NonNullable<R[Name]> : never)
          : Name extends keyof R
            ? R[Name]
            : never
      }
  : never

/** Columns of the data. */
type SeenNameOf<Cells> = {
  [Name in keyof Cells]-?: IsHidden<Cells, Name> extends true ? never : Name
}[keyof Cells]

/** The levels of a column, as its cells write them. */
export type LevelOf<Cells, Name> = Name extends keyof Cells
  ? [Cell] extends [Cells[Name]]
    ? Level
    : Extract<Cells[Name], Level>
  : Name extends StepNameOf<Cells>
    ? Extract<StepCellOf<Cells, Name>, Level>
    : Level

/** A level, or those of a row's steps. */
export type LabelOf<Cells, Name> = Name extends keyof Cells
  ? LevelOf<Cells, Name>
  : Name extends StepNameOf<Cells>
    ? readonly LevelOf<Cells, Name>[]
    : LevelOf<Cells, Name>

export type PredictionOf<Cells, Name> = Name extends keyof Cells
  ? [Cell] extends [Cells[Name]]
    ? LoosePrediction
    : IsQuantity<Cells, Name> extends true
      ? NumberPrediction
      : LevelPrediction<LevelOf<Cells, Name>>
  : Name extends StepNameOf<Cells>
    ? readonly ([StepCellOf<Cells, Name>] extends [number]
        ? NumberPrediction
        : LevelPrediction<LevelOf<Cells, Name>>)[]
    : LoosePrediction

/** What is decided of a row, or of each of its steps. */
export type DecisionOf<Cells, Name, Action extends string> = Name extends keyof Cells
  ? Decision<Action>
  : Name extends StepNameOf<Cells>
    ? readonly Decision<Action>[]
    : Decision<Action>

/** Of a row, or of one of its steps. */
export type ExplanationOf<Cells, Name> = Name extends keyof Cells
  ? Explanation<LevelOf<Cells, Name>>
  : Name extends StepNameOf<Cells>
    ? StepExplanation<LevelOf<Cells, Name>>
    : Explanation<LevelOf<Cells, Name>>

// ── data ───────────────────────────────────────────────────────────────────────────────────────────

/** Data to learn from: the type of the argument if it suits the model, otherwise a sentence that says what is wrong. */
export type DataFor<Cells, Target extends string, Given> = Checked<
  { [Name in keyof Cells]: Name extends Target ? Cells[Name] | SoftLabel : Cells[Name] },
  never,
  Given
>

/** Data to ask about: any column may be left out, and is then missing. */
export type QuestionFor<Cells, Target extends string, Given> = [Given] extends [AsyncIterable<unknown>]
  ? "a question takes rows in memory: loop over the source and ask batch by batch"
  : Checked<Cells, Target | keyof Cells, Given>

/** Data to ask about a target: that column is never read. */
export type QuestionAbout<Name extends string, Cells, Target extends string, Given> = [Name] extends [never]
  ? NoLabel
  : QuestionFor<{ [Other in keyof Cells]: Other extends Name ? unknown : Cells[Other] }, Target | Name, Given>

type NoLabel = "the model has no label: say which column is asked for, { target: ... }"

/** `QuestionFor` and `QuestionAbout` by the type of the fitted model. */
export type QuestionTo<Self, Given> = QuestionFor<CellsOf<Self>, TargetOf<Self>, Given>
export type QuestionOn<Self, Name extends string, Given> = QuestionAbout<
  Name,
  CellsOf<Self>,
  TargetOf<Self>,
  Given
>

/** One row to ask about, as `QuestionAbout` checks several. */
export type QuestionRow<Name extends string, Cells, Target extends string, Given> = [Name] extends [never]
  ? NoLabel
  : CheckedRow<
      { [Other in keyof Cells]: Other extends Name ? unknown : Cells[Other] },
      Target | keyof Cells,
      Given
    >

type CheckedRow<Cells, May, Given> = [ComplaintOfRow<Cells, May, Given>] extends [never]
  ? Given
  : ComplaintOfRow<Cells, May, Given>

type ComplaintOfRow<Cells, May, Given> = unknown extends Cells | Given
  ? never
  : Given extends readonly unknown[]
    ? "one row is asked about, not a list of rows"
    : ComplaintOfRows<Cells, May, Given>

/** Given, or a sentence for each column that does not suit. `May`: columns that may be left out. */
type Checked<Cells, May, Given> = [Complaint<Cells, May, Given>] extends [never]
  ? Given
  : Complaint<Cells, May, Given>

type Complaint<Cells, May, Given> = unknown extends Cells | Given
  ? never
  : Given extends readonly (infer R)[]
    ? ComplaintOfRows<Cells, May, R>
    : Given extends AsyncIterable<unknown>
      ? never
      : Given extends PromiseLike<unknown>
        ? "the data is a promise: await it first"
        : ComplaintOfRows<Cells, May, { [Name in keyof Given]: CellOf<Given[Name]> }>

/** Columns are arrays or typed arrays, and text is neither. */
type CellOf<Column> = Column extends string ? NotAColumn : Column extends ArrayLike<infer C> ? C : NotAColumn
interface NotAColumn {
  readonly notAColumn: true
}

type ComplaintOfRows<Cells, May, R> = string extends keyof Cells
  ? never
  : [R] extends [never]
    ? never
    : {
        [Name in keyof Cells & string]: IsHidden<Cells, Name> extends true
          ? never
          : Name extends KeyOf<R>
            ? ComplaintOfCell<Name, Cells[Name], At<R, Name>, string extends KeyOf<R> ? true : false>
            : Name extends May
              ? never
              : `column '${Name}' of the model is not in the data`
      }[keyof Cells & string]

type KeyOf<R> = R extends unknown ? keyof R : never
type At<R, Name> = R extends unknown ? (Name extends keyof R ? R[Name] : never) : never

/** A loosely typed cell must be able to suit, any other must always suit. */
type ComplaintOfCell<Name extends string, V, G, Loose> = [Cell] extends [V]
  ? never
  : [Cell] extends [G]
    ? never
    : Loose extends true
      ? [Exclude<G, Misfit<V, G> | null | undefined>] extends [never]
        ? Sentence<Name, V, Misfit<V, G>>
        : never
      : Sentence<Name, V, Misfit<V, G>>

type Sentence<Name extends string, V, Wrong> = Wrong extends NotAColumn
  ? `column '${Name}' must be an array of cells; rows go in an array`
  : `column '${Name}' takes ${Wanted[Kind<V>]}, not ${Got<Wrong>}`

/** What of G does not suit V. The literals of a union widen as soon as they are stored, so `string` suits "a" | "b". */
type Misfit<V, G> = G extends V | null | undefined
  ? never
  : string extends G
    ? Unless<Extract<V, string>, G>
    : number extends G
      ? Unless<Extract<V, number>, G>
      : G extends bigint
        ? Unless<Extract<V, number>, G>
        : G
type Unless<Suits, G> = [Suits] extends [never] ? G : never

// ── kinds of cells ─────────────────────────────────────────────────────────────────────────────────

interface Wanted {
  number: "numbers"
  bag: "bags of words"
  steps: "steps, which are rows with the columns of its body"
  level: "levels (text, numbers or booleans)"
  binary: "booleans, or 0 and 1"
  declared: "its declared levels"
}

type Kind<V> = [Cell] extends [V]
  ? "level"
  : [readonly null[]] extends [V]
    ? "steps"
    : [readonly string[]] extends [V]
      ? "bag"
      : [Level] extends [V]
        ? "level"
        : [boolean | 0 | 1] extends [V]
          ? "binary"
          : [number] extends [V]
            ? "number"
            : "declared"

type Got<G> = G extends string
  ? string extends G
    ? "text"
    : `'${G}'`
  : G extends number
    ? number extends G
      ? "numbers"
      : `${G}`
    : G extends boolean
      ? "booleans"
      : G extends bigint
        ? "bigints"
        : G extends readonly unknown[]
          ? "arrays"
          : "objects"

/** A plain number that is not a level. Hidden columns are excluded: theirs are component numbers. */
type IsQuantity<Cells, Name extends keyof Cells> =
  IsHidden<Cells, Name> extends true ? false : Kind<Cells[Name]> extends "number" ? true : false

/** An optional column. */
type IsHidden<Cells, Name extends keyof Cells> = string extends keyof Cells
  ? false
  : Partial<Pick<Cells, Name>> extends Pick<Cells, Name>
    ? true
    : false
