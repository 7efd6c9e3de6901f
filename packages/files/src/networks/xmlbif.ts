/**
 * XMLBIF 0.3.
 *
 *     <VARIABLE TYPE="nature"><NAME>rain</NAME><OUTCOME>no</OUTCOME> … </VARIABLE>
 *     <DEFINITION><FOR>grass</FOR><GIVEN>rain</GIVEN><TABLE>.9 .1 .2 .8</TABLE></DEFINITION>
 *
 * The table goes by the given variables first, so that the own level is innermost.
 */
import { checkedTables, innermost, type NetworkTables, wrong } from "./tables.ts"
import { all, type Element, escaped, lineOf, numbersIn, readXml } from "./xml.ts"

export function readXmlBif(text: string, file: string): NetworkTables {
  const root = readXml(text, file)
  const [network] = root.name.toLowerCase() === "network" ? [root] : all(root, "network")
  if (!network)
    throw wrong(
      file,
      1,
      `its outermost element is <${root.name}>, and it holds no <NETWORK>. Check whether it is of another format.`,
    )
  const line = ({ place }: Element): number => lineOf(text, place)
  const columns = all(network, "variable").map(variable => {
    const type = (variable.attributes.TYPE ?? "nature").toLowerCase()
    if (type !== "nature")
      throw wrong(
        file,
        line(variable),
        `a variable is of type "${type}". Only "nature" ones have probabilities. Take it out.`,
      )
    return {
      name: said(variable, "name")[0] ?? "",
      levels: [...said(variable, "outcome"), ...said(variable, "value")],
      get line() {
        return line(variable)
      },
    }
  })
  const tables = [...all(network, "definition"), ...all(network, "probability")].map(definition => {
    const [of = ""] = said(definition, "for")
    const numbers = numbersIn(said(definition, "table").join(" "), file, () => line(definition), of)
    return {
      of,
      parents: said(definition, "given"),
      get line() {
        return line(definition)
      },
      numbers: (sizes: Parameters<ReturnType<typeof innermost>>[0]) =>
        numbers.length === sizes.configurations * sizes.levels.length
          ? Float64Array.from(numbers)
          : innermost(file, line(definition), of, numbers)(sizes),
    }
  })
  return checkedTables(file, said(network, "name")[0] ?? "network", columns, tables)
}

function said(element: Element, name: string): string[] {
  return all(element, name).map(({ text }) => text.trim())
}

export function writeXmlBif({ name, columns }: NetworkTables): string {
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<BIF VERSION="0.3">',
    "<NETWORK>",
    `<NAME>${escaped(name)}</NAME>`,
  ]
  for (const { name: own, levels } of columns) {
    const outcomes = levels.map(level => `<OUTCOME>${escaped(level)}</OUTCOME>`).join("")
    lines.push(`<VARIABLE TYPE="nature"><NAME>${escaped(own)}</NAME>${outcomes}</VARIABLE>`)
  }
  for (const { name: own, parents, probabilities } of columns) {
    const given = parents.map(parent => `<GIVEN>${escaped(parent)}</GIVEN>`).join("")
    lines.push(
      `<DEFINITION><FOR>${escaped(own)}</FOR>${given}<TABLE>${[...probabilities].join(" ")}</TABLE></DEFINITION>`,
    )
  }
  return `${[...lines, "</NETWORK>", "</BIF>"].join("\n")}\n`
}
