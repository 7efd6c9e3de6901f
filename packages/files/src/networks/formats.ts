/**
 * Networks in files of other programs: BIF, XMLBIF, XDSL and Hugin's .net, read and written; DOT, written. Everything goes by text, so that a page reads what
 * the command reads.
 */
import { FileError, listed, quoted } from "../errors.ts"
import { readBif, writeBif } from "./bif.ts"
import { readHugin, writeHugin } from "./hugin.ts"
import type { NetworkTables } from "./tables.ts"
import { readXdsl, writeXdsl } from "./xdsl.ts"
import { readXmlBif, writeXmlBif } from "./xmlbif.ts"

/** A format of networks that can be read and written. */
export type NetworkFormat = "bif" | "xmlbif" | "xdsl" | "net"

interface NetworkCodec {
  read(text: string, file: string): NetworkTables
  write(tables: NetworkTables): string
}

const CODECS: Readonly<Record<NetworkFormat, NetworkCodec>> = {
  bif: { read: readBif, write: writeBif },
  xmlbif: { read: readXmlBif, write: writeXmlBif },
  xdsl: { read: readXdsl, write: writeXdsl },
  net: { read: readHugin, write: writeHugin },
}

const ENDINGS: Readonly<Record<string, NetworkFormat>> = {
  bif: "bif",
  xmlbif: "xmlbif",
  xml: "xmlbif",
  xdsl: "xdsl",
  net: "net",
  hugin: "net",
}

/** The format that the ending of a path names; undefined: it is none of networks. */
export function networkFormatOf(path: string): NetworkFormat | undefined {
  const ending = /\.([a-z]+)$/i.exec(path)?.[1].toLowerCase() ?? ""
  return Object.hasOwn(ENDINGS, ending) ? ENDINGS[ending] : undefined
}

/** Reads a network from the text of a file. `file` names it in messages, and says the format by its ending unless one is given. */
export function readNetwork(
  text: string,
  {
    file = "the network",
    format = networkFormatOf(file),
  }: { readonly file?: string; readonly format?: NetworkFormat } = {},
): NetworkTables {
  return codecOf(format, file).read(text, file)
}

/** The text of a file that holds this network. */
export function writeNetwork(tables: NetworkTables, format: NetworkFormat): string {
  return codecOf(format, "the network").write(tables)
}

function codecOf(format: NetworkFormat | undefined, file: string): NetworkCodec {
  if (format !== undefined && Object.hasOwn(CODECS, format)) return CODECS[format]
  throw new FileError(
    "option",
    `${quoted(file, 200)}: ${format === undefined ? "the ending names no format of networks" : `there is no format ${quoted(String(format))} of networks`}. There are ${listed(Object.keys(CODECS))}. Name one of them.`,
    { format },
  )
}
