/**
 * What the compiler knows of a model's columns: the type of a cell by name. An optional column is hidden: it can be asked for,
 * but is not in the data. If names are known only at run time, the cells are `Record<string, Cell>`.
 */
import type { Cell, Level, SoftLabel, Steps } from "../contract/cells.ts"
import type { Family } from "../contract/family.ts"
import type { Model } from "../contract/model.ts"

/** The columns of independent parts. */
export type Together<Parts extends readonly unknown[]> = Parts extends readonly [infer Only]
  ? Flat<CellsOf<Only>>
  : string extends keyof AllOf<Parts>
    ? Record<string, Cell>
    : Flat<AllOf<Parts>, Exclude<TargetOf<Parts[number]>, FirstTarget<Parts>>>

/** The target of independent parts: that of the first part that has one. */
export type FirstTarget<Parts extends readonly unknown[]> = Parts extends readonly [
  infer First,
  ...infer Rest,
]
  ? [TargetOf<First>] extends [never]
    ? FirstTarget<Rest>
    : TargetOf<First>
  : TargetOf<Parts[number]>

/** The label and the columns of the bodies. */
export type Labelled<Name extends string, L extends Level, Body> = string extends keyof Shared<Body>
  ? Record<string, Cell>
  : Flat<Record<Name, LevelCell<L>> & Shared<Body>, TargetOf<Body>>

/** The columns of the bodies, and the component by name if it has one. */
export type Hiding<Name extends string, Body> = [Name] extends [never]
  ? Flat<Shared<Body>>
  : Flat<Partial<Record<Name, number>> & Shared<Body>>

/** A column of steps, from the columns of its body. */
export type InSteps<Name extends string, Body> = string extends keyof CellsOf<Body>
  ? Record<Name, Steps>
  : Record<Name, StepsOf<Unlagged<CellsOf<Body>>>>

/** The same for a chain, each of whose steps can be asked for, and whose tag may be soft. */
export type InChain<Name extends string, Body> = string extends keyof CellsOf<Body>
  ? Record<string, Cell>
  : Record<Name, StepsOf<Unlagged<Flat<CellsOf<Body>, TargetOf<Body>>>, Chained>>

/** The steps have x, where x@-1 is read. */
type Unlagged<Cells> = {
  [Name in keyof Cells as Name extends `${infer Of}@-${number}` ? Of : Name]: Cells[Name]
}

/** Marks the rows of a chain's steps for the compiler; no row has it. */
export interface Chained {
  readonly [inChain]?: never
}
declare const inChain: unique symbol

/** Rows, columns, or the cells of the only column. Cells of steps may always be missing. */
type StepsOf<Cells, Mark = unknown> =
  | readonly (
      | ({ readonly [Name in keyof Cells]?: StepCell<Cells[Name]> } & Mark)
      | OnlyCell<Cells>
      | null
      | undefined
    )[]
  | { readonly [Name in keyof Cells]?: ArrayLike<StepCell<Cells[Name]>> }
  | ([OnlyCell<Cells>] extends [never] ? never : ArrayLike<OnlyCell<Cells>>)

/** Levels widen as soon as they are stored. */
type StepCell<V> =
  | (V extends string ? string : V extends number ? number : V extends boolean ? boolean : V)
  | null
  | undefined

type OnlyCell<Cells> = keyof Cells extends infer Name extends keyof Cells
  ? [keyof Cells] extends [Name]
    ? IsOne<keyof Cells> extends true
      ? StepCell<Cells[Name]>
      : never
    : never
  : never

type IsOne<Names> = [Every<Names extends unknown ? { name: Names } : never>] extends [{ name: never }]
  ? false
  : true

/** The bodies of a switch: one for all levels, or one for each. */
export type BodyOf<Bodies> = Bodies extends Model ? Bodies : Bodies[keyof Bodies]

/** The levels that the bodies declare: their keys, if each level has its own body. */
export type LevelsOf<Bodies> = Bodies extends Model ? Level : keyof Bodies & string

export type TargetOf<Part> = Part extends Model<infer _, infer Target> ? Target : never

/** Levels that are not literal numbers may be of any type. */
export type LevelCell<L extends Level> = number extends L ? Level : L

/** The cells of a model, or of one family per column. */
type CellsOf<Part> =
  Part extends Model<infer Cells, infer _>
    ? unknown extends Cells
      ? Record<string, Cell>
      : Cells
    : { -readonly [Name in keyof Part]: Part[Name] extends Family<infer Value> ? Value : never }

type AllOf<Parts extends readonly unknown[]> = Parts extends readonly [infer First, ...infer Rest]
  ? CellsOf<First> & AllOf<Rest>
  : number extends Parts["length"]
    ? Every<CellsOf<Parts[number]>>
    : unknown

/** Bodies model the same columns: a cell must suit all of them. */
type Shared<Body> = Every<CellsOf<Body>>

/** A & B & … out of A | B | … */
type Every<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/** One flat object type. `Soft`: labels that are not the target, and may still be soft. */
type Flat<Cells, Soft = never> = Cells extends infer C
  ? { [Name in keyof C]: Name extends Soft ? C[Name] | SoftLabel : C[Name] }
  : never
