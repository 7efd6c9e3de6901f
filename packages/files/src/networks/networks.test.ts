import { bernoulli, categorical, classes, dice, fit, gaussian, given, network } from "suffice"
import { describe, expect, it } from "vitest"
import { FileError } from "../errors.ts"
import { dotOf } from "./dot.ts"
import { fittedOfTables, graphOfModel, modelOfTables, tablesOfFitted } from "./fitted.ts"
import { type NetworkFormat, networkFormatOf, readNetwork, writeNetwork } from "./formats.ts"
import type { NetworkTables } from "./tables.ts"
import { fuzz } from "./testing/fuzz.ts"

const FORMATS: readonly NetworkFormat[] = ["bif", "xmlbif", "xdsl", "net"]

const BIF = `network weather { property made by hand; }
// what it rains on
variable season { type discrete [ 2 ] { "dry season", wet/cold<5 }; }
variable rain { type discrete [ 3 ] { no, some, 30%+ }; property x = 3; }
variable grass { type discrete[2] { dry, wet }; }
probability ( season ) { table 0.6, 0.4; }
probability ( rain | season ) { ("dry season") 0.7, 0.2, 0.1; (wet/cold<5) 0.2, 0.3, 0.5; }
/* one row of its own,
   and a default */
probability ( grass | season, rain ) {
  default 0.2, 0.8;
  ("dry season", no) 0.9, 0.1;
}
`

const weather = readNetwork(BIF, { file: "weather.bif" })

const plain = ({ columns }: NetworkTables) =>
  columns.map(({ probabilities, ...rest }) => ({ ...rest, probabilities: [...probabilities] }))

describe("a network in a file", () => {
  it("is read from BIF with quoted names, marks in levels, defaults and comments", () => {
    expect(weather.name).toBe("weather")
    expect(plain(weather)).toEqual([
      { name: "season", levels: ["dry season", "wet/cold<5"], parents: [], probabilities: [0.6, 0.4] },
      {
        name: "rain",
        levels: ["no", "some", "30%+"],
        parents: ["season"],
        probabilities: [0.7, 0.2, 0.1, 0.2, 0.3, 0.5],
      },
      {
        name: "grass",
        levels: ["dry", "wet"],
        parents: ["season", "rain"],
        probabilities: [0.9, 0.1, 0.2, 0.8, 0.2, 0.8, 0.2, 0.8, 0.2, 0.8, 0.2, 0.8],
      },
    ])
  })

  it("has the own level outermost in a table of BIF, as pyAgrum 3.3.1 and pgmpy 1.1.2 read it", () => {
    const text = `network n { } variable a { type discrete [ 2 ] { t, f }; } variable b { type discrete [ 3 ] { x, y, z }; }
      probability ( a ) { table 0.2, 0.8; } probability ( b | a ) { table 0.1, 0.2, 0.3, 0.5, 0.6, 0.3; }`
    expect([...readNetwork(text, { format: "bif" }).columns[1].probabilities]).toEqual([
      0.1, 0.3, 0.6, 0.2, 0.5, 0.3,
    ])
  })

  it.each(FORMATS)("is the same after writing and reading %s", format => {
    const again = readNetwork(writeNetwork(weather, format), { format })
    const byName = (tables: NetworkTables) =>
      plain(tables).sort((one, other) => (one.name < other.name ? -1 : 1))
    expect(byName(again)).toEqual(byName(weather))
  })

  it("is read from files as other programs write them", () => {
    const xmlbif = `<?xml version="1.0"?><!DOCTYPE BIF [<!ELEMENT BIF ( NETWORK )*>]>
<BIF VERSION="0.3"><NETWORK><NAME>n</NAME>
<VARIABLE TYPE="nature"><NAME>a</NAME><OUTCOME>t</OUTCOME><OUTCOME>f</OUTCOME><PROPERTY>position = (1, 2)</PROPERTY></VARIABLE>
<VARIABLE TYPE="nature"><NAME>b</NAME><OUTCOME>x&amp;y</OUTCOME><OUTCOME>z</OUTCOME></VARIABLE>
<DEFINITION><FOR>a</FOR><TABLE>0.2 0.8</TABLE></DEFINITION>
<DEFINITION><FOR>b</FOR><GIVEN>a</GIVEN><TABLE>0.1 0.9 <!-- given f --> 0.3 0.7</TABLE></DEFINITION></NETWORK></BIF>`
    const xdsl = `<?xml version="1.0" encoding="ISO-8859-1"?><smile version="1.0" id="n" numsamples="1000"><nodes>
<cpt id="a"><state id="t" /><state id="f" /><probabilities>0.2 0.8</probabilities></cpt>
<deterministic id="b"><state id="x" /><state id="z" /><parents>a</parents><resultingstates>z x</resultingstates></deterministic>
</nodes><extensions><genie version="1.0" app="GeNIe"><node id="a"><name>A</name></node></genie></extensions></smile>`
    const net = `% a comment
net { node_size = (80 40); name = "n"; }
node a { label = "A"; position = (1 2); states = ("t" "f"); }
node b { states = ("x" "z"); }
potential (a) { data = ( 0.2 0.8 ); }
potential (b | a) { data = (( 0.1 0.9 ) % given t
  ( 0.3 0.7 )); }`
    expect(plain(readNetwork(xmlbif, { format: "xmlbif" }))[1]).toEqual({
      name: "b",
      levels: ["x&y", "z"],
      parents: ["a"],
      probabilities: [0.1, 0.9, 0.3, 0.7],
    })
    expect(plain(readNetwork(xdsl, { format: "xdsl" }))[1].probabilities).toEqual([0, 1, 1, 0])
    expect(plain(readNetwork(net, { format: "net" }))[1]).toEqual({
      name: "b",
      levels: ["x", "z"],
      parents: ["a"],
      probabilities: [0.1, 0.9, 0.3, 0.7],
    })
  })

  it("answers as its tables say", () => {
    const fitted = fittedOfTables(weather)
    // p(wet) = Σ p(season) p(rain | season) p(wet | season, rain)
    const wet = 0.6 * (0.7 * 0.1 + 0.3 * 0.8) + 0.4 * 0.8
    const [posterior] = fitted.posterior([{}] as never, { target: "grass" as never })
      .probabilities as never as number[][]
    const found = fitted.logDensity([{ grass: "wet" }] as never)[0]
    expect(Math.exp(found)).toBeCloseTo(wet, 12)
    expect(posterior).toBeDefined()
    expect(
      plain(tablesOfFitted(fitted)).map(({ probabilities }) => probabilities.map(p => Number(p.toFixed(12)))),
    ).toEqual(plain(weather).map(({ probabilities }) => probabilities))
  })

  it("gives its arrows to a model that is fitted", async () => {
    const rows = fittedOfTables(weather).sample(500, { seed: 3 }) as never
    const fitted = await fit(modelOfTables(weather), rows)
    expect(tablesOfFitted(fitted as never).columns[2].parents).toEqual(["season", "rain"])
  })

  it("is written of a network below a label, with yes and no, and drawn", async () => {
    const roll = dice(1)
    const rows = Array.from({ length: 60 }, () => ({
      y: roll.integer(2) === 1,
      a: roll.integer(2) === 1,
      b: "pq"[roll.integer(2)],
    }))
    const fitted = await fit(
      classes("y", network({ a: bernoulli(), b: given(["a"], categorical()) })),
      rows as never,
    )
    const tables = tablesOfFitted(fitted as never)
    expect(tables.columns.map(({ name, levels, parents }) => [name, levels, parents])).toEqual([
      ["y", ["false", "true"], []],
      ["a", ["false", "true"], ["y"]],
      ["b", ["p", "q"], ["y", "a"]],
    ])
    const again = fittedOfTables(readNetwork(writeNetwork(tables, "bif"), { format: "bif" }))
    const named = rows.map(({ y, a, b }) => ({ y: String(y), a: String(a), b }))
    const [mine, theirs] = [fitted.logDensity(rows as never), again.logDensity(named as never)]
    for (const [i, each] of mine.entries()) expect(theirs[i]).toBeCloseTo(each, 12)
    expect(dotOf(graphOfModel(fitted.model)!)).toBe(
      'digraph network {\n  "y";\n  "a";\n  "b";\n  "y" -> "a";\n  "y" -> "b";\n  "a" -> "b";\n}\n',
    )
  })

  it("has the format that its ending names", () => {
    expect(["a.bif", "a.XDSL", "a.net", "a.xml", "a.xmlbif", "a.csv", "a"].map(networkFormatOf)).toEqual([
      ...["bif", "xdsl", "net", "xmlbif", "xmlbif"],
      ...[undefined, undefined],
    ])
  })
})

describe("a bad file", () => {
  const head =
    "network n { }\nvariable a { type discrete [ 2 ] { t, f }; }\nvariable b { type discrete [ 2 ] { x, y }; }\nprobability ( a ) { table 0.2, 0.8; }\n"
  const xml = (inside: string): string =>
    `<BIF>\n<NETWORK>\n<VARIABLE><NAME>a</NAME><OUTCOME>t</OUTCOME></VARIABLE>\n${inside}</NETWORK></BIF>`

  it("is refused with its line, and why", async () => {
    const files: [NetworkFormat, string][] = [
      ["bif", ""],
      ["bif", "hello"],
      ["bif", `${head}probability ( b | a ) {\n  (t) 0.5, 0.5;\n`],
      ["bif", `${head}probability ( b | a ) {\n  (t) 0.5, 0.5;\n}`],
      ["bif", `${head}probability ( b | a ) {\n  (t) 0.5, 0.25, 0.25;\n (f) 0.5, 0.5;\n}`],
      ["bif", `${head}probability ( b | a ) {\n  table 0.5, 0.5;\n}`],
      ["bif", `${head}probability ( b | a ) {\n  (t) 0.5, 0.5;\n  (f) -0.5, 1.5;\n}`],
      ["bif", `${head}probability ( b | a ) {\n  (t) 0.5, 0.5;\n  (f) 0.5, 0.7;\n}`],
      ["bif", `${head}probability ( b | a ) {\n  (u) 0.5, 0.5;\n}`],
      ["bif", `${head}probability ( b | a ) {\n  (t, t) 0.5, 0.5;\n}`],
      ["bif", `${head}probability ( b | c ) {\n  (t) 0.5, 0.5;\n}`],
      ["bif", `${head}probability ( b | b ) {\n  (t) 0.5, 0.5;\n}`],
      ["bif", `${head}probability ( a ) { table 1, 0; }`],
      ["bif", `${head}probability ( b ) { table half, half; }`],
      ["bif", `${head}variable a { type discrete [ 2 ] { t, f }; }`],
      ["bif", "variable a { type discrete [ 3 ] { t, f }; }"],
      ["bif", "variable a { type continuous; }"],
      ["bif", "variable a { type discrete [ 2 ] { t, t }; }"],
      ["bif", head],
      ["bif", "/* open"],
      ["bif", 'variable "a'],
      ["xmlbif", "hello"],
      ["xmlbif", "<BIF>\n<NETWORK>\n<VARIABLE>"],
      ["xmlbif", "<smile/>"],
      ["xmlbif", xml("<DEFINITION><FOR>a</FOR><TABLE>0.5 0.5</TABLE></DEFINITION>")],
      ["xmlbif", xml("<DEFINITION><FOR>a</FOR><TABLE>one</TABLE></DEFINITION>")],
      ["xdsl", "<smile><nodes>\n<noisymax id='a' /></nodes></smile>"],
      ["net", 'net { }\nnode a { states = ("t" "f"); }\npotential (a) { data = (0.5); }'],
      ["net", "utility u { }"],
      ["net", 'node a { states = ("t"); } potential (a) { }'],
    ]
    const said = files.map(([format, text]) => {
      try {
        readNetwork(text, { format, file: `n.${format}` })
        return "nothing"
      } catch (error) {
        return error instanceof FileError ? error.message : `not ours: ${error}`
      }
    })
    expect(said.join("\n")).toMatchInlineSnapshot(`
      ""n.bif" declares no columns. A network has at least one. Check whether it was written to its end, or is of another format.
      "n.bif", line 1: "hello" stands where a declaration begins. BIF has "network", "variable" and "probability". Check the brackets before, or whether the file is of another format.
      "n.bif", line 6: the file ends where "(" in the table of "b" is expected. Check whether it was written to its end.
      "n.bif", line 5: the table of "b" has probabilities for 1 of 2 configurations of its parents. Give the others, or a default. Check whether the file was written to its end.
      "n.bif", line 6: the table of "b" has 3 numbers, and needs 2: one for each level and configuration of its parents. Check whether the file was cut off, or a parent is missing.
      "n.bif", line 6: the table of "b" has 2 numbers, and needs 4: one for each level and configuration of its parents. Check whether the file was cut off, or a parent is missing.
      "n.bif", line 5: the table of "b" holds -0.5 for "x" given a = f. A probability is a number from 0 to 1. Correct it.
      "n.bif", line 5: the probabilities of "b" given a = f sum to 1.2. They must sum to 1; only roundings are evened out. Correct them.
      "n.bif", line 6: "u" is no level of "a", which has "t" and "f". Correct it.
      "n.bif", line 6: a row of the table of "b" names 2 levels, and it has 1 parent. Name a level of each.
      "n.bif", line 5: the table of "b" names "c", which is declared nowhere. The file declares "a" and "b". Declare it, or take it out.
      "n.bif", line 5: the table of "b" names a column twice. A column is given others, each once. Take the repetition out.
      "n.bif", line 5: "a" has a second table. Remove one of the two.
      "n.bif", line 5: "half" stands where a number is expected in the table of "b". Correct it.
      "n.bif", line 5: the column "a" is declared twice. Remove one of the two.
      "n.bif", line 1: the variable "a" says that it has 3 levels, and lists 2: "t" and "f". Correct one of the two.
      "n.bif", line 1: the variable "a" is of type "continuous". Only "discrete" ones have tables. Give it levels, or take it out.
      "n.bif", line 1: the column "a" has the level "t" twice. Name it once.
      "n.bif", line 3: the column "b" has no table. Every column of a network has its probabilities. Check whether the file was written to its end.
      "n.bif", line 1: a comment begins here and does not end. Close it with */.
      "n.bif", line 1: a quote begins here and does not end. Close it.
      "n.xmlbif", line 1: it is no whole XML: missing start tag. Check whether it was written to its end.
      "n.xmlbif", line 1: it is no whole XML: unexpected end of file. Check whether it was written to its end.
      "n.xmlbif", line 1: its outermost element is <smile>, and it holds no <NETWORK>. Check whether it is of another format.
      "n.xmlbif", line 4: the table of "a" has 2 numbers, and needs 1: one for each level and configuration of its parents. Check whether the file was cut off, or a parent is missing.
      "n.xmlbif", line 4: "one" stands in the table of "a", where numbers are expected. Correct it.
      "n.xdsl", line 2: the node "a" is a <noisymax>. Only <cpt> and <deterministic> are read: columns with levels and tables. Take it out, or turn it into a table.
      "n.net", line 3: the table of "a" has 1 number, and needs 2: one for each level and configuration of its parents. Check whether the file was cut off, or a parent is missing.
      "n.net", line 1: "utility" stands where a declaration begins. Nodes with levels are read ("net", "node", "potential"), and neither decisions, utilities nor continuous nodes. Take it out, or check the brackets before.
      "n.net", line 1: the table of "a" has no data. Every column of a network has its probabilities. Save it with its numbers."
    `)
    const number = await fit(network({ x: gaussian() }), [{ x: 1 }, { x: 2 }] as never)
    expect(() => tablesOfFitted(number as never)).toThrowErrorMatchingInlineSnapshot(
      `[FileError: "x" is a number, and the formats of networks hold tables of levels. Bin it, leave it out, or save the model as JSON.]`,
    )
  })

  it("of thousands that were damaged at random is read or refused, never more", () => {
    const counts = fuzz(weather, 3000, 7)
    expect(counts.read + counts.refused).toBe(3000)
    expect(counts.read).toBeGreaterThan(100)
    expect(counts.refused).toBeGreaterThan(1000)
  })
})
