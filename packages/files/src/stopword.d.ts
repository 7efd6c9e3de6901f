/** Lists of stop words by ISO 639-3 code. */
declare module "stopword" {
  const lists: Readonly<Record<string, readonly string[] | ((words: string[]) => string[])>>
  export = lists
}
