/** The samples that come with the studio; licences stand beside them, in samples/LICENSES.md. */
import type { Settings } from "./types.ts"

export interface Sample {
  readonly file: string
  readonly title: string
  readonly about: string
  readonly settings?: Partial<Settings>
}

export const SAMPLES: readonly Sample[] = [
  {
    file: "penguins.csv",
    title: "Penguins",
    about: "Three species by their measurements, with holes",
    settings: { label: "species" },
  },
  {
    file: "mails.csv",
    title: "Messages",
    about: "Which of 1,200 short messages are spam",
    settings: { label: "kind" },
  },
  {
    file: "iris.csv",
    title: "Iris",
    about: "Fisher's flowers: three species, four numbers",
    settings: { label: "species" },
  },
  {
    file: "old-faithful.csv",
    title: "Old Faithful",
    about: "Eruptions of a geyser: two groups that nobody named",
  },
  {
    file: "votes.csv",
    title: "Votes",
    about: "Party by 16 votes of 1984, many missing",
    settings: { label: "party" },
  },
  {
    file: "wine.csv",
    title: "Wine",
    about: "Three cultivars by 13 measurements",
    settings: { label: "class", as: { class: "category" } },
  },
  {
    file: "earthquakes.csv",
    title: "Earthquakes",
    about: "A series with hidden states: large earthquakes per year",
    settings: { sequence: "", as: { year: "ignore" } },
  },
  {
    file: "news.csv",
    title: "News",
    about: "400 made-up texts, for topics",
    settings: { as: { section: "ignore" } },
  },
]
