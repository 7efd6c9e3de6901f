/**
 * Control characters are made visible, never sent: a name from a file may contain escape sequences that a terminal would execute (colours, its
 * title, overwriting text), and marks that change the direction of text.
 *
 *     C0, DEL         their pictures:  ␛ ␊ ␍ ␡
 *     C1, directions, separators of lines          their numbers:  \u009b \u202e
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g
/** Characters that JSON does not escape. */
const UNESCAPED = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g

/** A name or a sentence, on one line. */
export function shown(text: string): string {
  return text.replace(CONTROL, picture)
}

/** A text of several lines. */
export function shownLines(text: string): string {
  return text.replace(CONTROL, sign => (sign === "\n" ? sign : picture(sign)))
}

/** Equivalent JSON. */
export function shownJson(json: string): string {
  return json.replace(UNESCAPED, numbered)
}

function picture(sign: string): string {
  const code = sign.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? "␡" : numbered(sign)
}

function numbered(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`
}
