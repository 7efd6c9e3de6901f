/** A small model that takes a few sweeps. */
import { em, gaussian, independent, mixture } from "suffice"

export const groups = mixture(2, independent({ x: gaussian(), a: gaussian() }))
export const climbing = { learner: em({ maxIterations: 4, tolerance: 0 }), weight: "w" } as const
