/**
 * `suffice-files/networks`: Bayesian networks in files of other programs, as text: BIF, XMLBIF, XDSL, Hugin's .net, read and written; DOT, written. Nothing
 * here touches a file, so that a page reads what the command reads.
 */

export { dotOf } from "./networks/dot.ts"
export {
  fittedOfTables,
  graphOfModel,
  modelOfTables,
  type NetworkGraph,
  tablesOfFitted,
} from "./networks/fitted.ts"
export { type NetworkFormat, networkFormatOf, readNetwork, writeNetwork } from "./networks/formats.ts"
export type { NetworkColumn, NetworkTables } from "./networks/tables.ts"
