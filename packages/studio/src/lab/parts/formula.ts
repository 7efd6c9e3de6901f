/** Formulas as they are typed, in pieces that can be set: `x_i` and `w_{0y}` have an index, `σ^2` an exponent; two spaces or more end the name of a line. */

export interface Piece {
  readonly text: string
  readonly place: "on" | "below" | "above"
}

export interface Line {
  /** What the line is about: a step, a name. Empty where the line goes on with the one before. */
  readonly name?: readonly Piece[]
  readonly body: readonly Piece[]
}

const places = { _: "below", "^": "above" } as const

function pieces(text: string): Piece[] {
  const found: Piece[] = []
  let from = 0
  for (const { index, 0: whole, 1: sign, 2: braced, 3: plain } of text.matchAll(
    /([_^])(?:\{([^}]*)\}|([\p{L}\p{Nd}′]+))/gu,
  )) {
    if (index > from) found.push({ text: text.slice(from, index), place: "on" })
    found.push({ text: braced ?? plain, place: places[sign as "_" | "^"] })
    from = index + whole.length
  }
  if (from < text.length) found.push({ text: text.slice(from), place: "on" })
  return found
}

/** Lines, in groups that an empty line parts. */
export function setFormula(formula: string): Line[][] {
  return formula.split(/\n\s*\n/).map(group =>
    group.split("\n").map(line => {
      const [, name, body] = /^(\S.*?|) {2,}(.*)$/.exec(line) ?? []
      return body === undefined ? { body: pieces(line) } : { name: pieces(name), body: pieces(body) }
    }),
  )
}
