/** The compiler's messages, read: a wrong program is told which column is wrong. types.test-d.ts holds the promises. */
import { fileURLToPath } from "node:url"
import ts from "typescript"
import { expect, test } from "vitest"

const start = `
import { categorical, classes, fit, gaussian, independent, mixture } from "suffice"
const body = independent({ age: gaussian(), city: categorical({ levels: ["Oslo", "Bergen"] }) })
const model = classes("species", body)
const rows = [{ age: 41, city: "Oslo", species: "a" }]
const fitted = await fit(model, rows)
const unlabelled = await fit(mixture(2, body), rows)
`

const programs: Readonly<Record<string, string>> = {
  "a right program": `fitted.predict(rows)[0].probabilities`,
  "a misspelt column": `fit(model, [{ aeg: 41, city: "Oslo", species: "a" }])`,
  "a misspelt column, by columns": `fit(model, { age: [41], ctiy: ["Oslo"], species: ["a"] })`,
  "a wrong cell": `fit(model, rows.map(row => ({ ...row, age: String(row.age) })))`,
  "an undeclared level": `fit(model, [{ age: 41, city: "Olso", species: "a" }])`,
  "a wrong cell of a question": `fitted.predict([{ age: "41" }])`,
  "a misspelt target": `fitted.predict(rows, { target: "specise" })`,
  "a target without levels": `fitted.posterior(rows, { target: "age" })`,
  "no label and no target": `unlabelled.predict(rows)`,
  "rows not awaited": `fit(model, Promise.resolve(rows))`,
}

/** The first lines of the messages about each program. All are compiled at once: reading the library takes longest. */
function compile(): Record<string, string> {
  const root = fileURLToPath(new URL("../../../", import.meta.url))
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, root)
  const files = new Map(
    Object.keys(programs).map((name, i) => [`${root}packages/suffice/src/wrong-${i}.ts`, name]),
  )
  const host = ts.createCompilerHost(options)
  const { fileExists, getSourceFile } = host
  host.fileExists = file => files.has(file) || fileExists(file)
  host.getSourceFile = (file, version, ...rest) => {
    const name = files.get(file)
    return name
      ? ts.createSourceFile(file, start + programs[name], version)
      : getSourceFile(file, version, ...rest)
  }
  const program = ts.createProgram([...files.keys()], { ...options, noUnusedLocals: false }, host)
  return Object.fromEntries(
    [...files].map(([file, name]) => {
      const found = program.getSemanticDiagnostics(program.getSourceFile(file))
      const lines = found.map(
        ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n").split("\n")[0],
      )
      return [name, lines.join("\n")]
    }),
  )
}

test("a wrong program is told which column is wrong", () => {
  expect(compile()).toMatchInlineSnapshot(`
    {
      "a misspelt column": "Argument of type '{ aeg: number; city: string; species: string; }[]' is not assignable to parameter of type '"column 'age' of the model is not in the data"'.",
      "a misspelt column, by columns": "Argument of type '{ age: number[]; ctiy: string[]; species: string[]; }' is not assignable to parameter of type '"column 'city' of the model is not in the data"'.",
      "a misspelt target": "Type '"specise"' is not assignable to type '"city" | "age" | "species" | undefined'. Did you mean '"species"'?",
      "a right program": "",
      "a target without levels": "Type '"age"' is not assignable to type '"city" | "species" | undefined'.",
      "a wrong cell": "Argument of type '{ age: string; city: string; species: string; }[]' is not assignable to parameter of type '"column 'age' takes numbers, not text"'.",
      "a wrong cell of a question": "Argument of type '{ age: string; }[]' is not assignable to parameter of type '"column 'age' takes numbers, not '41'"'.",
      "an undeclared level": "Argument of type '{ age: number; city: string; species: string; }[]' is not assignable to parameter of type '"column 'city' takes its declared levels, not 'Olso'"'.",
      "no label and no target": "Argument of type '{ age: number; city: string; species: string; }[]' is not assignable to parameter of type '"the model has no label: say which column is asked for, { target: ... }"'.",
      "rows not awaited": "Argument of type 'Promise<{ age: number; city: string; species: string; }[]>' is not assignable to parameter of type '"the data is a promise: await it first"'.",
    }
  `)
})
