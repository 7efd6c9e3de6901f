/** CRC-32 (ISO 3309), which Spark asks of every part of a file. Node has one from 22 on. */
const TABLE = Int32Array.from({ length: 256 }, (_, n) => {
  let code = n
  for (let k = 0; k < 8; k++) code = code & 1 ? (code >>> 1) ^ 0xedb88320 : code >>> 1
  return code
})

export function crc32(bytes: Uint8Array): number {
  let code = -1
  for (const byte of bytes) code = TABLE[(code ^ byte) & 255] ^ (code >>> 8)
  return ~code >>> 0
}
