/** The words of a text with their lines: for BIF and Hugin's .net, which have nearly the same. */
import { quoted } from "../errors.ts"
import { wrong } from "./tables.ts"

export interface Token {
  readonly text: string
  readonly line: number
  /** It stood in quotes, so it is a name whatever it says. */
  readonly isQuoted: boolean
}

export class Tokens {
  readonly file: string
  readonly #tokens: readonly Token[]
  #at = 0

  /** `marks`: characters that are words by themselves; `comment`: what begins a comment to the end of its line. */
  constructor(file: string, text: string, marks: string, comment: string) {
    this.file = file
    this.#tokens = tokensOf(file, text, marks, comment)
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length
  }

  get line(): number {
    const token = this.#tokens[Math.min(this.#at, this.#tokens.length - 1)]
    return token?.line ?? 1
  }

  /** The next one, without taking it. */
  peek(): Token | undefined {
    return this.#tokens[this.#at]
  }

  /** Is this mark, or this word without quotes, next? */
  sees(text: string): boolean {
    const next = this.peek()
    return next !== undefined && !next.isQuoted && next.text.toLowerCase() === text
  }

  take(what: string): Token {
    const next = this.peek()
    if (!next)
      throw this.fail(`the file ends where ${what} is expected. Check whether it was written to its end.`)
    this.#at++
    return next
  }

  expect(text: string, where: string): void {
    const next = this.take(`${quoted(text)} ${where}`)
    if (next.isQuoted || next.text.toLowerCase() !== text)
      throw wrong(
        this.file,
        next.line,
        `${quoted(next.text)} stands where ${quoted(text)} is expected ${where}. Correct it.`,
      )
  }

  /** Takes it, if it is next. */
  skip(text: string): boolean {
    if (!this.sees(text)) return false
    this.#at++
    return true
  }

  number(where: string): number {
    const { text, line, isQuoted } = this.take(`a number ${where}`)
    const value = isQuoted || !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number.NaN : Number(text)
    if (Number.isFinite(value)) return value
    throw wrong(this.file, line, `${quoted(text)} stands where a number is expected ${where}. Correct it.`)
  }

  fail(sentence: string) {
    return wrong(this.file, this.line, sentence)
  }
}

function tokensOf(file: string, text: string, marks: string, comment: string): Token[] {
  const tokens: Token[] = []
  const isMark = (c: string): boolean => marks.includes(c)
  const isSpace = (c: string): boolean =>
    c === " " || c === "\t" || c === "\r" || c === "\n" || c === "\ufeff"
  let line = 1
  let at = 0
  while (at < text.length) {
    const c = text[at]
    if (c === "\n") line++
    if (isSpace(c)) at++
    else if (text.startsWith(comment, at)) {
      const end = text.indexOf("\n", at)
      at = end < 0 ? text.length : end
    } else if (comment === "//" && text.startsWith("/*", at)) {
      const end = text.indexOf("*/", at + 2)
      if (end < 0) throw wrong(file, line, "a comment begins here and does not end. Close it with */.")
      for (let j = at; j < end; j++) if (text[j] === "\n") line++
      at = end + 2
    } else if (isMark(c)) {
      tokens.push({ text: c, line, isQuoted: false })
      at++
    } else if (c === '"') {
      const begun = line
      let said = ""
      for (at++; text[at] !== '"'; at++) {
        if (at >= text.length) throw wrong(file, begun, "a quote begins here and does not end. Close it.")
        if (text[at] === "\\" && at + 1 < text.length) at++
        if (text[at] === "\n") line++
        said += text[at]
      }
      at++
      tokens.push({ text: said, line: begun, isQuoted: true })
    } else {
      const from = at
      while (at < text.length && !isSpace(text[at]) && !isMark(text[at]) && text[at] !== '"') at++
      tokens.push({ text: text.slice(from, at), line, isQuoted: false })
    }
  }
  return tokens
}
