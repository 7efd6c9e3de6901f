/** Parts of a fitted model as people read them: every parameter in a line. */
import type { DescribedLeaf, DescribedPart, DescribedSwitch, Writing } from "suffice/describe"
import { byColumn, guideOf } from "suffice/describe"
import { clipped, percent, plain } from "./format.ts"

const WRITING: Writing = { number: plain, share: percent, name: level => clipped(level, 20), most: 4 }

/** The parameters of a leaf in a line: "mean 217.2, sd 6.5". */
export function summaryOf({ family, parameters }: DescribedLeaf, most = WRITING.most): string {
  return guideOf(family).summary(parameters, { ...WRITING, most })
}

/** A leaf, column by column. */
export function linesOf(leaf: DescribedLeaf): { column: string; summary: string }[] {
  return byColumn(leaf).map(([column, parameters]) => ({
    column,
    summary: summaryOf({ ...leaf, parameters }),
  }))
}

export function isSwitch(part: DescribedPart): part is DescribedSwitch {
  return part.part === "probabilities"
}

export function isLeaf(part: DescribedPart): part is DescribedLeaf {
  return part.part === "parameters"
}
