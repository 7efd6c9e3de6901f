/** One select, which only reads: by DuckDB's own parser, on a database that cannot be written to. */
import { readdirSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { file, refusal } from "../../test/scratch.ts"
import { openTable } from "../open.ts"
import { openDatabase } from "./database.ts"
import { isReading } from "./select.ts"

file("people.csv", "age,city\n41,Oslo\n17,Rome\n30,Oslo\n")
const FILES = readdirSync(".")

async function rows(sql: string): Promise<unknown> {
  const table = await openTable({ sql })
  try {
    return await table.take(9)
  } finally {
    await table.close()
  }
}

describe("a select is run", () => {
  test.each([
    "select 1 as a",
    "select 1 as a;",
    "  select 1 as a ; ;\n",
    "select 1 as a -- the end",
    "select 1 as a; -- the end; really",
    "select 1 as a /* ; */ ; /* ; */",
    "-- first\nselect 1 as a",
    "with one as (select 1 as a) select * from one",
    "with recursive n as (select 1 as a union all select a + 1 from n where a < 1) select * from n;",
    "from (values (1)) t(a)",
    "(select 1 as a)",
    "select a from range(3) t(a) where a = 1",
    "select 1 as a union all select a from range(0) t(a) order by a",
    "select length(';') as a; --';",
    "select count(*) filter (city = 'Rome') as a from 'people.csv'",
    "select count(*) filter (city = 'Rome') as a from read_csv(['people.csv'])",
  ])("%j", async sql => {
    expect(await rows(sql)).toEqual([{ a: 1 }])
  })
})

describe("everything else is not", () => {
  test.each([
    "select 1 as a; copy (select 1) to 'written.csv'",
    "copy (select 1) to 'written.csv'; select 1 as a",
    "select 1) ; copy (select 1) to 'written.csv'; select * from (select 2",
    "select 1 as a) union all (select 2",
    "copy (select 1) to 'written.csv'",
    "create table t as select 1",
    "insert into t values (1)",
    "attach 'written.db'",
    "install httpfs",
    "load httpfs",
    "pragma enable_profiling",
    "set threads = 1",
    "call enable_logging(storage = 'file', storage_path = 'written')",
    "export database 'written'",
    "explain analyze select 1",
    "begin; select 1",
    "checkpoint",
    "",
    " -- nothing\n",
    "select 1 as a\0; copy (select 1) to 'written.csv'",
    "select * from enable_logging(storage = 'file', storage_path = 'written')",
    "with a as (select * from Enable_Logging(level = 'debug')) select * from a",
    "select (select count(*) from system.main.enable_logging(storage = 'file', storage_path = 'written'))",
    "select * from query('select * from enable_logging(storage = ''file'', storage_path = ''written'')')",
    "select * from json_execute_serialized_sql(json_serialize_sql('select 1'))",
    "select * from checkpoint()",
    "select * from 'https://example.com/a.csv'",
  ])("%j", async sql => {
    await refusal(rows(sql))
    expect(readdirSync(".")).toEqual(FILES)
  })
})

test("what is refused is told", async () => {
  expect(await refusal(rows("select 1; copy (select 1) to 'written.csv'"))).toMatchInlineSnapshot(
    `"the SQL "select 1; copy (select 1) to 'written.csv'" is not run: not all of it is a select. A table is what one select gives; nothing else is run. Write one DuckDB select, with files as 'name.parquet' or read_csv('name.csv')."`,
  )
  expect(await refusal(rows("select 1; select 2;"))).toMatchInlineSnapshot(
    `"the SQL "select 1; select 2;" is not run: it holds 2 statements. A table is what one select gives. Write one DuckDB select, with files as 'name.parquet' or read_csv('name.csv')."`,
  )
  expect(await refusal(rows(" "))).toMatchInlineSnapshot(
    `"the SQL " " is not run: it holds no statement. A table is what one select gives. Write one DuckDB select, with files as 'name.parquet' or read_csv('name.csv')."`,
  )
  expect(await refusal(rows("select 1 as \0a"))).toMatchInlineSnapshot(
    `"the SQL "select 1 as \\u0000a" is not run: it holds the character NUL. DuckDB takes that for the end of the text. Write one DuckDB select, with files as 'name.parquet' or read_csv('name.csv')."`,
  )
  expect(await refusal(rows("select * from checkpoint(), query('select 1')"))).toMatchInlineSnapshot(
    `"the SQL "select * from checkpoint(), query('select 1')" is not run: it calls "checkpoint" and "query" behind FROM. A query may only read, by read_csv, read_parquet, read_json and their like. Write one DuckDB select, with files as 'name.parquet' or read_csv('name.csv')."`,
  )
  expect(await refusal(rows("select *\nfrom 'people.csv'\nwhere name = 1"))).toMatchInlineSnapshot(
    `"the SQL cannot be run. Binder Error: Referenced column "name" not found in FROM clause! Candidate bindings: "age". Write one DuckDB select, with files as 'name.parquet' or read_csv('name.csv')."`,
  )
  expect(await refusal(rows("select ?"))).toMatchInlineSnapshot(
    `"the SQL cannot be run. Invalid Input Error: Expected 1 parameters, but none were supplied. Write one DuckDB select, with files as 'name.parquet' or read_csv('name.csv')."`,
  )
})

test("the database of a query takes no tables, no settings and no other databases", async () => {
  const database = await openDatabase({ readOnly: true })
  try {
    for (const sql of [
      "create table t as select 1",
      "create view v as select 1",
      "create schema s",
      "set threads = 1",
      "set enable_external_access = true",
      "attach 'written.db'",
      "set lock_configuration = false",
    ])
      await refusal(database.ask(sql))
    expect(readdirSync(".")).toEqual(FILES)
  } finally {
    await database.close()
  }
})

/** Functions behind FROM that are refused, so that a new DuckDB with new ones is looked at before they are called. */
test("every function of DuckDB that can stand behind FROM is known to read, or is refused", async () => {
  const database = await openDatabase()
  try {
    const found = await database.ask(
      "select distinct function_name as name from duckdb_functions() where function_type in ('table', 'table_macro') order by name",
    )
    const refused = found.map(({ name }) => String(name)).filter(name => !isReading(name))
    expect(refused.join(" ")).toMatchInlineSnapshot(
      `"arrow_scan arrow_scan_dumb check_peg_parser checkpoint disable_logging disable_peg_parser disable_profiling enable_logging enable_peg_parser enable_profiling force_checkpoint json_execute_serialized_sql query query_table seq_scan sql_auto_complete truncate_duckdb_logs which_secret"`,
    )
  } finally {
    await database.close()
  }
})
