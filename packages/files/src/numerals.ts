/**
 * Numbers as people write them: 1,234.50 or 1.234,50 or 1 234,50 or 1'234.50; with a currency or a per cent sign, or in parentheses
 * (accountants' minus). Shapes are regular expressions that RE2 (DuckDB) and JavaScript read alike.
 *
 *     number    sign? currency? sign? digits (group of three)* (decimal digits)? exponent? (currency | %)?
 *
 * A leading zero makes a code, not a number, and a group has three digits, so that 0815, 31.12.2024 and 10.0.0.1 are none.
 */

export type Decimal = "." | ","
export const THOUSANDS = [",", ".", " ", "'", ""] as const
/** What parts groups of three digits; empty: nothing does. */
export type Thousands = (typeof THOUSANDS)[number]

/** How the numbers of a column are written. */
export interface Numeral {
  readonly decimal: Decimal
  /** Without it, any that is not the decimal sign. */
  readonly thousands?: Thousands
}

/** What stands for a currency. */
export const CURRENCY = String.raw`(?:[A-Z]{0,3}\p{Sc}|EUR|USD|GBP|CHF|JPY|CNY|INR|BRL|CAD|AUD|SEK|NOK|DKK|PLN|CZK|HUF|TRY|ZAR|Fr\.|kr\.?|zł|Kč|Ft)`
const SIGN = "[-+−]?"
/** One that may stand inside a number. */
export const BLANK = "[ \u00a0\u2009\u202f]"
const GROUP_SIGNS: Readonly<Record<Exclude<Thousands, "">, string>> = {
  ",": ",",
  ".": String.raw`\.`,
  " ": BLANK,
  "'": "['’]",
}

/** The shape of a number so written. */
export function shapeOf({ decimal, thousands }: Numeral): string {
  const signs =
    thousands === undefined
      ? THOUSANDS.filter(sign => sign !== "" && sign !== decimal)
      : [thousands].filter(sign => sign !== "")
  const grouped = signs.map(sign => `[1-9]\\d{0,2}(?:${GROUP_SIGNS[sign as Exclude<Thousands, "">]}\\d{3})+`)
  const point = decimal === "." ? String.raw`\.` : ","
  const whole = ["0", String.raw`[1-9]\d*`, ...grouped].join("|")
  const digits = `(?:(?:${whole})(?:${point}\\d*)?|${point}\\d+)(?:[eE][-+]?\\d+)?`
  const number = `${SIGN}(?:${CURRENCY}${BLANK}*)?${SIGN}${digits}${BLANK}*(?:${CURRENCY}|%)?`
  return String.raw`(?:${number}|\(${number}\))`
}

const KNOWN = new Map<string, RegExp>()

function knownShape(numeral: Numeral): RegExp {
  const key = `${numeral.decimal} ${numeral.thousands}`
  let known = KNOWN.get(key)
  if (!known) {
    known = new RegExp(`^${shapeOf(numeral)}$`, "u")
    KNOWN.set(key, known)
  }
  return known
}

/** Bytes of a text: a sign has at most three for each of its units. */
const isShort = (text: string): boolean =>
  text.length < 20 || (text.length < 60 && new TextEncoder().encode(text).length < 60)

/** Is this text, without blanks around it, a number so written? */
export function isNumeral(text: string, numeral: Numeral): boolean {
  return isShort(text) && knownShape(numeral).test(text)
}

const BARE = new RegExp(`${CURRENCY}|${BLANK}|['’%()]`, "gu")

/** The number that such a text means, as it is written plainly. Per cent are per cent: 12,5 % is 12.5. */
export function numeralText(text: string, { decimal }: Numeral): string {
  const bare = text.replace(BARE, "")
  const signed = (text.startsWith("(") ? `-${bare}` : bare).replaceAll("−", "-")
  return decimal === "." ? signed.replaceAll(",", "") : signed.replaceAll(".", "").replaceAll(",", ".")
}

const CURRENCY_IN = new RegExp(CURRENCY, "u")

/** The currency that a text names, or an empty text. */
export function currencyIn(text: string): string {
  return CURRENCY_IN.exec(text)?.[0] ?? ""
}
