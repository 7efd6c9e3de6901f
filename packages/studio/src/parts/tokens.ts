/** What is coloured in a piece of TypeScript or of a command: comments, strings, words of the language, numbers. */

export interface Token {
  readonly text: string
  readonly kind?: "comment" | "string" | "keyword" | "number"
}

const PATTERN =
  /(?<comment>(?:\/\/|(?<=^|\s)#).*)|(?<string>"[^"\n]*"|'[^'\n]*'|`[^`]*`)|(?<keyword>(?<!\.)\b(?:(?:import|export|const|let|for|if|else|return|await|async|function|new)\b|(?:from|of|in|as|type)\b(?!\s*(?:[:(,)]|=))))|(?<number>(?<![\w.])\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?\b)/gm

export function tokens(code: string): Token[] {
  const found: Token[] = []
  let from = 0
  for (const match of code.matchAll(PATTERN)) {
    if (match.index > from) found.push({ text: code.slice(from, match.index) })
    const [kind] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? []
    found.push({ text: match[0], kind: kind as Token["kind"] })
    from = match.index + match[0].length
  }
  if (from < code.length) found.push({ text: code.slice(from) })
  return found
}
