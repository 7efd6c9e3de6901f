/** XML as a tree of elements, by saxen. Lines are found only when an error needs one. */
/// <reference path="../saxen.d.ts" />
import { Parser } from "saxen"
import { quoted } from "../errors.ts"
import { wrong } from "./tables.ts"

export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly Element[]
  /** The text directly inside. */
  readonly text: string
  /** Its number, in the order of opening tags. */
  readonly place: number
}

interface Open extends Element {
  children: Open[]
  text: string
}

/** The outermost element. */
export function readXml(text: string, file: string): Element {
  const parser = new Parser()
  const root: Open = { name: "", attributes: {}, children: [], text: "", place: -1 }
  const path = [root]
  let count = 0
  let broken: Error | undefined
  parser.on("openTag", (name, attributes, decode) => {
    const given = Object.entries(attributes()).map(([key, value]) => [key, decode(String(value))])
    const element: Open = {
      name,
      attributes: Object.fromEntries(given),
      children: [],
      text: "",
      place: count++,
    }
    path[path.length - 1].children.push(element)
    path.push(element)
  })
  parser.on("closeTag", () => void path.pop())
  parser.on("text", (said, decode) => {
    path[path.length - 1].text += decode(said)
  })
  parser.on("cdata", said => {
    path[path.length - 1].text += said
  })
  parser.on("warn", () => {})
  parser.on("error", (error, context) => {
    broken ??= wrong(
      file,
      context().line + 1,
      `it is no whole XML: ${error.message}. Check whether it was written to its end.`,
    )
    parser.stop()
  })
  parser.parse(text)
  if (broken) throw broken
  if (root.children.length === 0) throw wrong(file, 1, "it is no XML. Check whether it is of another format.")
  return root.children[0]
}

/** The line of an element. */
export function lineOf(text: string, place: number): number {
  const parser = new Parser()
  let count = 0
  let line = 1
  parser.on("openTag", (_name, _attributes, _decode, _isClosed, context) => {
    if (count++ !== place) return
    line = context().line + 1
    parser.stop()
  })
  parser.on("error", () => parser.stop())
  parser.on("warn", () => {})
  parser.parse(text)
  return line
}

export function all(element: Element, name: string): Element[] {
  return element.children.filter(child => child.name.toLowerCase() === name)
}

/** The numbers in a text, as they stand; `line` is asked for where one is none. */
export function numbersIn(text: string, file: string, line: () => number, of: string): number[] {
  return text
    .split(/[\s,]+/)
    .filter(said => said !== "")
    .map(said => {
      const value = Number(said)
      if (Number.isFinite(value)) return value
      throw wrong(
        file,
        line(),
        `${quoted(said)} stands in the table of ${quoted(of)}, where numbers are expected. Correct it.`,
      )
    })
}

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`)
}
