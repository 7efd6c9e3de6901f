/**
 * Windows-1252: a byte for each character, Latin-1 with letters and signs in place of the control characters from 0x80. What calls itself Latin-1 is nearly
 * always this. Node's own decoder gives the control characters, so they are replaced here.
 */
const SIGNS = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"

const CONTROL = /[\u0080-\u009f]/g

export function westernText(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")
  return text.replace(CONTROL, sign => SIGNS[sign.charCodeAt(0) - 0x80])
}
