/** A sample of the studio as rows, read once; and its address, for the code of a page. */
import Papa from "papaparse"

const read = new Map<string, Promise<Record<string, string>[]>>()

export const addressOf = (file: string): string =>
  new URL(`samples/${file}`, document.baseURI.replace(/#.*$/, "")).href

export function sampleRows(file: string): Promise<Record<string, string>[]> {
  let rows = read.get(file)
  if (!rows) {
    rows = fetch(addressOf(file))
      .then(answer => answer.text())
      .then(text => Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true }).data)
    read.set(file, rows)
  }
  return rows
}
