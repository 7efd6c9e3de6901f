/** Against a server of our own on Spark's protos: what is said when it is not there, refuses, is too old; and how addresses and cells are read. */
import grpc from "@grpc/grpc-js"
import { afterEach, expect, test } from "vitest"
import { type FakeSpark, fakeSpark } from "../testing/fake-spark.ts"
import { cellOf, expressionOf, kindOf } from "./cells.ts"
import { addressOf } from "./connect.ts"
import { crc32 } from "./crc32.ts"
import { sparkFailed } from "./errors.ts"
import { spark } from "./index.ts"
import { inOrder, numberedFiles, quoted } from "./sql.ts"

let server: FakeSpark | undefined
afterEach(() => server?.end())

async function serving(version: string, error?: { code: number; details: string }): Promise<string> {
  server = await fakeSpark({ version, ...(error && { error }) })
  return server.address
}
const said = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => "nothing was refused",
    error => `${error.code}: ${error.message}`.replace(/127\.0\.0\.1:\d+/g, "host"),
  )

test("a server that is not there, refuses the token, or is too old is said in a sentence", async () => {
  const gone = await serving("4.3.0")
  await server?.end()
  expect(await said(spark(gone))).toMatch(
    /^server: no Spark Connect server answers at host: [^:]+\. Nothing can be learned there\. Start one \(sbin\/start-connect-server\.sh\), or correct the address: sc:\/\/host:15002\.$/,
  )
  const refusing = await serving("4.3.0", { code: grpc.status.UNAUTHENTICATED, details: "unknown token" })
  expect(await said(spark(refusing))).toMatchInlineSnapshot(
    `"server: the Spark server at host refuses the token: unknown token. Only those it knows may run queries. Pass the right one: sc://host:15002/;token=…."`,
  )
  await server?.end()
  expect(await said(spark(await serving("3.5.8")))).toMatchInlineSnapshot(
    `"version: the server runs Spark 3.5.8. Its protocol lacks what is needed below Spark 4. Connect to Spark 4.0 or newer; it is tested with 4.3."`,
  )
  expect(await said(spark("http://host"))).toMatchInlineSnapshot(
    `"server: the address is "http://host". A Spark Connect server has one like sc://host:15002. Write it so, with /;token=… behind it if it asks for one."`,
  )
  const tokened = `${await serving("4.3.0")}/;token=secret`
  expect(await said(spark(tokened))).toMatch(
    /^server: the server at host does not speak TLS: .*wrong version number.*\. A token is never sent in the clear, so that TLS is on where there is one\. Put a proxy with TLS before the server, or leave token and use_ssl out\.$/,
  )
  await server?.end()
  const old = await spark(await serving("4.1.4"))
  expect([old.version, ...old.warnings]).toMatchInlineSnapshot(`
    [
      "4.1.4",
      "The server runs Spark 4.1.4; suffice-spark is tested with 4.3. Answers are audited all the same.",
    ]
  `)
  await old.close()
  expect(await said(spark("sc://host", { node: "node; rm" }))).toMatchInlineSnapshot(
    `"worker: node is "node; rm". It is a command or a path without spaces. Write for example "/opt/node/bin/node"."`,
  )
})

test("what workers and Spark say becomes a sentence", () => {
  const says = (details: string): string => sparkFailed("host", { code: 2, details }).message
  expect(
    says("Subprocess exited with status 127. Error: bash: line 1: exec: node: not found"),
  ).toMatchInlineSnapshot(
    `"the workers have no node: the command was not found there. Rows are swept by Node beside Spark. Install Node ≥ 20 on the workers' PATH, or name its place: spark(address, { node: "/opt/node/bin/node" })."`,
  )
  expect(says("Subprocess exited with status 3. Error: row 7 is not there.\n at x")).toMatchInlineSnapshot(
    `"a worker failed: row 7 is not there. Spark tried it again, to the same end. Mend what it says, and fit again with the same checkpoint."`,
  )
  const unavailable = (details: string): string => sparkFailed("host", { code: 14, details }).message
  expect(
    unavailable("No connection established. Last error: Error: self-signed certificate. Resolution note: "),
  ).toMatchInlineSnapshot(
    `"the certificate of the server at host is not trusted: self-signed certificate. Whoever answers there could be another. Name the file of its authority in NODE_EXTRA_CA_CERTS, or correct the address."`,
  )
  expect(says("[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column `x` cannot be resolved.")).toMatchInlineSnapshot(
    `"Spark does not find it: [UNRESOLVED_COLUMN.WITH_SUGGESTION] A column \`x\` cannot be resolved. A table and its columns must be there for every sweep. Correct the name, or bring it back."`,
  )
})

test("an address says host, token and encryption; a token is never sent in the clear", () => {
  expect(addressOf("sc://host")).toEqual({ target: "host:15002", ssl: false, user: "suffice" })
  expect(addressOf("sc://host:1/;token=a%3Db;user_id=u")).toEqual({
    target: "host:1",
    token: "a=b",
    ssl: true,
    user: "u",
  })
})

test("cells come back as Spark has them", () => {
  expect(cellOf("\\N", "number")).toBe(null)
  expect([cellOf("NaN", "number"), cellOf("-0.0", "number"), cellOf("1.0E-5", "number")]).toEqual([
    NaN,
    -0,
    1e-5,
  ])
  expect([cellOf("7", "integer"), cellOf("1152921504606846976", "integer")]).toEqual([7, 2n ** 60n])
  expect(cellOf('{"v":"tab\\t 😀"}', "json")).toBe("tab\t 😀")
  expect([cellOf("{}", "json"), cellOf('{"v":[1,null]}', "json")]).toEqual([null, [1, null]])
  expect(["double", "bigint", "decimal(10,0)", "decimal(10,2)", "string", "binary"].map(kindOf)).toEqual([
    ...["number", "integer", "integer", "number", "json", undefined],
  ])
})

test("names are quoted, and nothing of them is run", () => {
  expect(quoted("a`b")).toBe("`a``b`")
  expect(expressionOf(quoted("x"), "json")).toBe("to_json(struct(`x` AS v))")
  expect(
    numberedFiles("t", [
      ["file:/a'b", 3],
      ["file:/c", 4],
    ]),
  ).toContain("map('file:/a\\'b', 0L, 'file:/c', 3L)")
})

test("few rows are sorted in few partitions", () => {
  expect(inOrder("SELECT 1", ["a", "b`"], 33_000, "v")).toBe(
    "SELECT /*+ REPARTITION_BY_RANGE(1, `a`, `b```) */ * FROM (SELECT 1) WHERE 'v' IS NOT NULL SORT BY `a`, `b```",
  )
  expect(inOrder("SELECT 1", ["a"], 0, "v")).toContain("REPARTITION_BY_RANGE(1, `a`)")
  expect(inOrder("SELECT 1", ["a"], 200_000, "v")).toContain("REPARTITION_BY_RANGE(4, `a`)")
  expect(inOrder("SELECT 1", ["a"], 20_000_000, "v")).toBe(
    "SELECT * FROM (SELECT 1) WHERE 'v' IS NOT NULL ORDER BY `a`",
  )
})

test("the checksum of files is CRC-32", () => {
  // the check value of the catalogue of CRCs
  expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926)
})
