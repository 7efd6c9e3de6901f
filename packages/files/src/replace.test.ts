/** What stands at a path keeps what it is: its permissions, a link, a device; and nothing under way stays behind. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { file, refusal } from "../test/scratch.ts"
import { openDatabase } from "./duckdb/database.ts"
import { replaceFile } from "./index.ts"
import { FOLDER, partName, sweep } from "./temporary.ts"
import { writeTable } from "./write.ts"

const ROWS = [{ a: 1, b: "x" }]
const FORMATS = ["rows.csv", "rows.csv.gz", "rows.ndjson", "rows.parquet"]
const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8)

/** A process that has ended, and whose number is free. */
const ended = spawnSync(process.execPath, ["-e", ""]).pid
const ofEnded = (name: string): string => name.replace(`-${process.pid}-`, `-${ended}-`)

describe.skipIf(process.platform === "win32")("permissions and links", () => {
  test.each(FORMATS)("a file keeps its permissions: %s", async name => {
    mkdirSync("modes", { recursive: true })
    const path = `modes/${name}`
    for (const bits of [0o600, 0o640, 0o666]) {
      writeFileSync(path, "old")
      chmodSync(path, bits)
      await writeTable(path, ROWS)
      expect(mode(path)).toBe(bits.toString(8))
    }
  })

  test("what is under way is readable by nobody who may not read the file", async () => {
    writeFileSync("secret.txt", "old", { mode: 0o600 })
    await replaceFile("secret.txt", async place => {
      expect(mode(place)).toBe("600")
      writeFileSync(place, "new")
    })
    expect([readFileSync("secret.txt", "utf8"), mode("secret.txt")]).toEqual(["new", "600"])
  })

  test("a new file has the permissions of any new file", async () => {
    writeFileSync("ordinary.txt", "")
    await writeTable("fresh.csv", ROWS)
    expect(mode("fresh.csv")).toBe(mode("ordinary.txt"))
  })

  test.each(FORMATS)("a link stays one, and the file it leads to is replaced: %s", async name => {
    mkdirSync(`links-${name}/elsewhere`, { recursive: true })
    const path = `links-${name}/${name}`
    writeFileSync(`links-${name}/elsewhere/${name}`, "old", { mode: 0o600 })
    symlinkSync(`elsewhere/${name}`, `links-${name}/between`)
    symlinkSync("between", path)
    await writeTable(path, ROWS)
    expect(lstatSync(path).isSymbolicLink()).toBe(true)
    expect(readlinkSync(path)).toBe("between")
    expect(readFileSync(`links-${name}/elsewhere/${name}`)).not.toEqual(Buffer.from("old"))
    expect(mode(`links-${name}/elsewhere/${name}`)).toBe("600")
    expect(readdirSync(`links-${name}/elsewhere`)).toEqual([name])
    expect(readdirSync(`links-${name}`).sort()).toEqual(["between", "elsewhere", name].sort())
  })

  test("a link that leads nowhere yet leads to the new file", async () => {
    mkdirSync("dangling/elsewhere", { recursive: true })
    symlinkSync("elsewhere/new.csv", "dangling/rows.csv")
    await writeTable("dangling/rows.csv", ROWS)
    expect(readFileSync("dangling/elsewhere/new.csv", "utf8")).toBe("a,b\n1,x\n")
    expect(lstatSync("dangling/rows.csv").isSymbolicLink()).toBe(true)
    symlinkSync("nowhere/new.csv", "dangling/lost.csv")
    expect(await refusal(writeTable("dangling/lost.csv", ROWS))).toMatch(/^there is no folder ".*nowhere"\./)
  })

  // A pipe of its own stands for every device: whoever breaks this must not replace one of the system's.
  test("what is no file is written to, and stays", async () => {
    spawnSync("mkfifo", ["pipe"])
    const reader = spawn("cat", ["pipe"])
    const said = once(reader.stdout, "data")
    await writeTable("pipe", ROWS, { format: "csv" })
    expect(String((await said)[0])).toBe("a,b\n1,x\n")
    expect(lstatSync("pipe").isFIFO()).toBe(true)
    expect(await refusal(writeTable("pipe", ROWS, { format: "parquet" }))).toMatchInlineSnapshot(
      `""pipe" is no file. Parquet is not written from its beginning to its end, so it cannot go into a device or a pipe. Write a file, or another format."`,
    )
  })
})

describe("what a killed run has left", () => {
  test("is removed by the next that writes there, and nothing else is", async () => {
    mkdirSync("left", { recursive: true })
    const stale = [
      ofEnded(partName("model.json")),
      ofEnded(partName("rows.csv")),
      `${ofEnded(partName("rows.parquet"))}.ndjson`,
    ]
    const others = [
      partName("of-this-process.csv"),
      partName("x").replace(`-${process.pid}-`, "-1-"),
      ofEnded(partName("x")).replace(/suffice-[0-9a-f]{6}/, "suffice-ffffff"),
      `.model.json.${ended}.part`,
      ".hidden",
      "notes.part",
      `mine.suffice-${ended}.part`,
    ]
    for (const name of [...stale, ...others]) writeFileSync(`left/${name}`, "")
    await writeTable("left/new.csv", ROWS)
    expect(readdirSync("left").sort()).toEqual([...others, "new.csv"].sort())
  })

  test("is removed with all that is in it, from the temporary folder", async () => {
    mkdirSync(`spill/${ofEnded(FOLDER)}abcdef/inside`, { recursive: true })
    mkdirSync(`spill/${FOLDER}abcdef`, { recursive: true })
    await sweep("spill")
    expect(readdirSync("spill")).toEqual([`${FOLDER}abcdef`])
  })

  test.skipIf(process.platform === "win32")(
    "a run that is killed while it writes leaves nothing for long",
    async () => {
      mkdirSync("killed", { recursive: true })
      const program = `
      import { writeTable } from ${JSON.stringify(fileURLToPath(new URL("./write.ts", import.meta.url)))}
      const source = { async *[Symbol.asyncIterator]() {
        yield [{ a: 1 }]
        console.log("begun")
        await new Promise(resolve => setTimeout(resolve, 60000))
      } }
      await writeTable("killed/rows.parquet", source)`
      const tsx = fileURLToPath(import.meta.resolve("tsx"))
      const child = spawn(process.execPath, [
        "--conditions=source",
        "--import",
        tsx,
        file("killed.mts", program),
      ])
      await once(child.stdout, "data")
      child.kill("SIGKILL")
      await once(child, "close")
      expect(readdirSync("killed").length).toBe(2)
      await writeTable("killed/other.csv", ROWS)
      expect(readdirSync("killed")).toEqual(["other.csv"])
    },
  )

  test("an exit in the middle removes what is under way", () => {
    mkdirSync("under-way/inside", { recursive: true })
    const program = `
      import { hold } from ${JSON.stringify(fileURLToPath(new URL("./temporary.ts", import.meta.url)))}
      import { writeFileSync } from "node:fs"
      writeFileSync("under-way.part", "")
      hold("under-way.part")
      hold("under-way")
      process.exit(3)`
    const tsx = fileURLToPath(import.meta.resolve("tsx"))
    const args = ["--conditions=source", "--import", tsx, file("exit.mts", program)]
    expect(spawnSync(process.execPath, args).status).toBe(3)
    expect(readdirSync(".").filter(name => name.startsWith("under-way"))).toEqual([])
  })
})

test.skipIf(process.platform === "win32")("a temporary folder that cannot be used is refused", async () => {
  const before = process.env.TMPDIR
  try {
    process.env.TMPDIR = "/no/such/folder"
    expect(await refusal(openDatabase())).toMatchInlineSnapshot(
      `"the temporary folder "/no/such/folder" cannot be used. There is no such folder, and DuckDB puts there what does not fit into memory. Set TMPDIR to a folder that can be written to."`,
    )
    process.env.TMPDIR = file("a-file", "x")
    expect(await refusal(openDatabase())).toMatchInlineSnapshot(
      `"the temporary folder "a-file" cannot be used. There is no such folder, and DuckDB puts there what does not fit into memory. Set TMPDIR to a folder that can be written to."`,
    )
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
})
