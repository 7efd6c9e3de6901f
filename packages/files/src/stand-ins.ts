/**
 * Cells that stand in for "not known" where nothing else can be meant: among numbers, dates, true and false. Among words a sign
 * ("-") says nothing by itself and is taken for missing too, unless it is one of two levels or stands beside other signs (+ and -);
 * a word such as "none" may well be a level ("no allergies"), and stays one.
 */
export const SIGNS: readonly string[] = ["-", "--", "---", "–", "—", ".", "..", "…"]

/** In small letters. */
export const STAND_INS: readonly string[] = [
  ...SIGNS,
  ...["none", "nil", "n.a.", "k.a.", "missing", "unknown", "not available", "not known"],
]
