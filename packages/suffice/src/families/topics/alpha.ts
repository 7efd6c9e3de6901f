/** α before anything is seen, and the least it can become. */
export const FIRST_ALPHA = 0.1
export const LEAST_ALPHA = 1e-4
