/** Ends a bench with a sentence and code 2 in place of a stack trace: data, a peer or a build is missing, or an option is unknown. */
export class Stop extends Error {}
