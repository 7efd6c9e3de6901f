/**
 * Student's t in several correlated columns: what a normal with unknown mean and covariance predicts.
 *
 *     ln t(x) = top(f, d) − ½ ln|Ψ| − ½(f + d) ln(1 + δ²/f)      f = ν − d + 1      Ψ = S(κ + 1)/(κf)      δ² = (x − m)ᵀΨ⁻¹(x − m)
 *
 * Missing cells: the marginal over those that are seen has the same f. Given the seen ones o, the others are a t with f + d_o degrees, the mean of a normal, and
 * the scale of a normal times (f + δ²_o)/(f + d_o).
 */
import type { Layout } from "../families/normal/layout.ts"
import {
  contributions,
  expectRows,
  fillSlots,
  sampleRow,
  scoreRows,
  studentOf,
} from "./dense-student-rows.ts"
import type { Difference } from "./stand-in.ts"
import { studentCdf } from "./student.ts"

/** Where the numbers of a slot stand in q. */
export interface SlotNumbers {
  readonly kappa: number
  readonly mean: number
  readonly nu: number
  readonly scatter: number
}

/** The posterior whose slots these are. */
export interface StudentSource {
  fill(q: Float64Array, params: Float64Array): void
  of(q: Float64Array, slot: number): SlotNumbers
}

export function denseStudent(layout: Layout, from: StudentSource): Difference {
  const student = studentOf(layout, from)
  const { slots, width } = student

  return {
    shape: { parameters: layout.parameters + slots * width },
    fill: (q, params) => fillSlots(student, q, params),
    score: (block, params, out) => scoreRows(student, block, params, out),
    sample: (params, slot, block, dice) => sampleRow(student, params, slot, block, dice),
    numbers: {
      expect: (block, params, slot, place, mean, variance, freedom) =>
        expectRows(student, block, params, slot, place, mean, variance, freedom),
      cdf: studentCdf,
    },
    terms: {
      /** As of a normal (families/normal/shares.ts): each column has its part of δ², its own scale, and an equal share of what belongs to all. */
      contributions: (block, params, slot, out) => contributions(student, block, params, slot, out),
    },
  }
}
