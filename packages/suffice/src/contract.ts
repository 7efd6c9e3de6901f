/**
 * `suffice/contract`: types for your own families, structures, beliefs and learners, beside the types in `suffice`. It holds no code.
 */
export type { Belief } from "./contract/belief.ts"
export type { Bags, Encoded, Nested } from "./contract/block.ts"
export type { Need, Support, TextOptions, Use } from "./contract/columns.ts"
export type { Feature, Work } from "./contract/leaf.ts"
export type { Course, Regime } from "./contract/moving.ts"
export type { Node, Sink } from "./contract/node.ts"
export type { Part } from "./contract/part.ts"
export type { Json } from "./contract/report.ts"
