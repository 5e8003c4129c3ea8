/** Extracts the header block of a message. */
export function headerOf(source: Uint8Array): Buffer {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  const [crlf, lf] = [bytes.indexOf('\r\n\r\n'), bytes.indexOf('\n\n')]
  const ends = [crlf, lf].filter((at) => at !== -1)
  return ends.length === 0 ? bytes : bytes.subarray(0, Math.min(...ends))
}
