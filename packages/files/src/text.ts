/**
 * Words for text columns, by language: stop words (lists of the `stopword` package) and Snowball stemmers (Porter 1980, 2001;
 * the `snowball-stemmers` package). Both take words in lower case.
 */
import snowball from "snowball-stemmers"
import stopword from "stopword"
import { FileError, listed, quoted } from "./errors.ts"

export type Stem = (word: string) => string

/** By English name: ISO 639-1 code, code of the list of stop words, name of the Snowball algorithm. */
const LANGUAGES: Readonly<Record<string, readonly [string, string | undefined, string | undefined]>> = {
  arabic: ["ar", "ara", "arabic"],
  armenian: ["hy", "hye", "armenian"],
  basque: ["eu", "eus", "basque"],
  bulgarian: ["bg", "bul", undefined],
  catalan: ["ca", "cat", "catalan"],
  chinese: ["zh", "zho", undefined],
  croatian: ["hr", "hrv", undefined],
  czech: ["cs", "ces", "czech"],
  danish: ["da", "dan", "danish"],
  dutch: ["nl", "nld", "dutch"],
  english: ["en", "eng", "english"],
  estonian: ["et", "est", undefined],
  finnish: ["fi", "fin", "finnish"],
  french: ["fr", "fra", "french"],
  german: ["de", "deu", "german"],
  greek: ["el", "ell", undefined],
  hebrew: ["he", "heb", undefined],
  hindi: ["hi", "hin", undefined],
  hungarian: ["hu", "hun", "hungarian"],
  indonesian: ["id", "ind", undefined],
  irish: ["ga", "gle", "irish"],
  italian: ["it", "ita", "italian"],
  japanese: ["ja", "jpn", undefined],
  korean: ["ko", "kor", undefined],
  latvian: ["lv", "lav", undefined],
  lithuanian: ["lt", "lit", undefined],
  norwegian: ["no", "nob", "norwegian"],
  persian: ["fa", "fas", undefined],
  polish: ["pl", "pol", undefined],
  portuguese: ["pt", "por", "portuguese"],
  romanian: ["ro", "ron", "romanian"],
  russian: ["ru", "rus", "russian"],
  slovak: ["sk", "slk", undefined],
  slovene: ["sl", "slv", "slovene"],
  spanish: ["es", "spa", "spanish"],
  swedish: ["sv", "swe", "swedish"],
  tamil: ["ta", undefined, "tamil"],
  thai: ["th", "tha", undefined],
  turkish: ["tr", "tur", "turkish"],
  ukrainian: ["uk", "ukr", undefined],
  vietnamese: ["vi", "vie", undefined],
}

/** The most frequent words of a language, which say little about a text; by its English name, or its code ("en"). */
export function stopWords(language: string): ReadonlySet<string> {
  const code = find(language, "are no stop words", 1)
  const listed = (stopword[code] as readonly string[]).map(word => word.toLowerCase())
  return new Set(code === "eng" ? [...listed, ...CONTRACTED] : listed)
}

/** What is left of "don't" and "it's": words are cut at apostrophes, and the list has none of them. */
const CONTRACTED =
  "t s m d ll re ve don didn doesn isn aren wasn weren couldn wouldn shouldn hasn haven hadn ain".split(" ")

/** Words that are remembered with their stem: text repeats itself, and stemming costs some 10 µs a word. */
const REMEMBERED = 100_000

/** Cuts the endings of words, so that "connected" and "connections" are one word. */
export function stemmer(language: string): Stem {
  const algorithm = snowball.newStemmer(find(language, "is no stemmer", 2))
  const stems = new Map<string, string>()
  return word => {
    const known = stems.get(word)
    if (known !== undefined) return known
    const stem = algorithm.stem(word)
    if (stems.size < REMEMBERED) stems.set(word, stem)
    return stem
  }
}

function find(language: string, what: string, place: 1 | 2): string {
  const wanted = language.toLowerCase()
  const found = Object.entries(LANGUAGES).find(([name, [code]]) => name === wanted || code === wanted)
  const entry = found?.[1][place]
  if (entry !== undefined) return entry
  const there = Object.keys(LANGUAGES).filter(name => LANGUAGES[name][place] !== undefined)
  throw new FileError(
    "option",
    `there ${what} for ${quoted(language)}. The package that knows them has none, or another name for it. Choose among ${listed(there, 99)}.`,
    { language },
  )
}
