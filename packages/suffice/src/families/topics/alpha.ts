/** α before anything is seen, and the least it can become. */
export const FIRST_ALPHA = 0.1
export const LEAST_ALPHA = 1e-4

/** α_k = T_k / S (layout.ts). */
export function alphaOf(tables: number, exposure: number): number {
  return exposure > 0 ? Math.max(tables / exposure, LEAST_ALPHA) : FIRST_ALPHA
}
