/** Decodes UTF-7 (RFC 2152). Bytes outside of its alphabet are read as Latin-1. */
export const decodeUtf7 = (bytes: Buffer): string =>
  bytes.toString('latin1').replaceAll(/\+([A-Za-z0-9+/]*)-?/g, (_, digits: string) => {
    if (digits === '') return '+'
    const units = Buffer.from(digits, 'base64')
    return units
      .subarray(0, units.length & ~1)
      .swap16()
      .toString('utf16le')
  })
