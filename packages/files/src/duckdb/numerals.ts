/** Numbers as people write them (numerals.ts), in SQL. */
import { BLANK, CURRENCY, type Numeral, shapeOf } from "../numerals.ts"
import { literal } from "./database.ts"

/** Is this text, without blanks around it, a number so written? */
export function isNumeral(text: string, numeral: Numeral): string {
  return `(strlen(${text}) < 60 and regexp_full_match(${text}, ${literal(shapeOf(numeral))}))`
}

/** The number that such a text means, as text that DuckDB casts to DOUBLE. Per cent are per cent: 12,5 % is 12.5. */
export function numeralText(text: string, { decimal }: Numeral): string {
  const bare = `regexp_replace(${text}, ${literal(`${CURRENCY}|${BLANK}|['’%()]`)}, '', 'g')`
  const signed = `replace(case when starts_with(${text}, '(') then '-' || ${bare} else ${bare} end, '−', '-')`
  return decimal === "." ? `replace(${signed}, ',', '')` : `replace(replace(${signed}, '.', ''), ',', '.')`
}

/** The currency that a text names, or an empty text. */
export function currencyIn(text: string): string {
  return `regexp_extract(${text}, ${literal(CURRENCY)})`
}
