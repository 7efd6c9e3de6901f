/** The part of saxen that is used; it brings no types. */
declare module "saxen" {
  interface Context {
    readonly line: number
  }
  export class Parser {
    on(
      name: "openTag",
      handle: (
        element: string,
        attributes: () => Record<string, string>,
        decode: (text: string) => string,
        isClosed: boolean,
        context: () => Context,
      ) => void,
    ): this
    on(name: "closeTag", handle: (element: string) => void): this
    on(name: "text", handle: (text: string, decode: (text: string) => string) => void): this
    on(name: "cdata", handle: (text: string) => void): this
    on(name: "error", handle: (error: Error, context: () => Context) => void): this
    on(name: "warn", handle: (error: Error, context: () => Context) => void): this
    parse(text: string): void
    stop(): void
  }
}
