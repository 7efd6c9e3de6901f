/** The name of the component of an unnamed mixture, from the columns below. */
export function hiddenName(columns: readonly string[]): string {
  return `mixture(${columns.slice(0, 3).join(", ")}${columns.length > 3 ? ", …" : ""})`
}
