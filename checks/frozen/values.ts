/** Values and keys of an output of the command, without its sentences. */

/** Words in a row from which on a text counts as a sentence. */
const SENTENCE = 3
/** Keys whose values depend on the clock. */
const CLOCK = new Set(["seconds", "written", "created"])
/** Dates, durations, and lines of a stack trace. */
const PASSING =
  /\d{4}-\d\d-\d\d[T ]?[\d:.]*Z?|(?<!\d)\d+(?:\.\d+)?[ \n]*(?:ms|s|min|h|seconds|minutes)\b|^ +at .*$/gm
const NUMBER = /-?(?<!\d)\d[\d.,]*(?:e[+-]?\d+)?/g

/** JSON and JSON lines by keys and values; tables as they are; other texts by their numbers. */
export function valuesOf(text: string, name = ""): string {
  if (text.trim() === "") return ""
  if (/\.html?$/.test(name)) return numbersOfPage(text)
  const whole = parsed(text)
  if (whole !== undefined) return JSON.stringify(plain(whole))
  const lines = text.trimEnd().split("\n")
  const objects = lines.map(parsed)
  if (objects.every(object => object !== undefined)) return JSON.stringify(objects.map(plain))
  return isTable(lines) ? text : numbersIn(text)
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function plain(value: unknown): unknown {
  if (typeof value === "string") return isSentence(value) ? numbersIn(value) : value
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      isSentence(key) ? numbersIn(key) : key,
      CLOCK.has(key) ? "clock" : plain(part),
    ]),
  )
}

function isSentence(text: string): boolean {
  return text.trim().split(/\s+/).length >= SENTENCE
}

/** True if every line has the same number of commas, at least one. */
function isTable(lines: readonly string[]): boolean {
  const counts = new Set(lines.map(line => line.split(",").length))
  return lines.length > 1 && counts.size === 1 && !counts.has(1)
}

function numbersIn(text: string): string {
  const lasting = text.replace(PASSING, "")
  return (lasting.match(NUMBER) ?? []).map(number => number.replace(/[.,]+$/, "")).join(" ")
}

/** Numbers of the text, then numbers of the pictures. Scripts and styles are left out. */
function numbersOfPage(html: string): string {
  const page = html.replace(/<(script|style)\b[^>]*>[\s\S]*?<\/\1>/g, "")
  const tags = page.match(/<[^>]*>/g) ?? []
  return `${numbersIn(page.replace(/<[^>]*>/g, "\n"))}\n${(tags.join(" ").match(NUMBER) ?? []).join(" ")}`
}
