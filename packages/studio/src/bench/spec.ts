/** A declaration as the page keeps it, and as the core describes it. */
import type { Description } from "suffice"
import type { Spec } from "./types.ts"

export function asSpec(spec: Spec): Description {
  return spec as object as Description
}

export function asOwn(spec: Description): Spec {
  return spec as object as Spec
}
