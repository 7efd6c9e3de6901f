/** The name of a column in the step before. */
export function nameBefore(name: string): string {
  return `${name}@-1`
}
