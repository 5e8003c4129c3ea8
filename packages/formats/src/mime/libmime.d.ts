/** libmime has no types. This declares the part that is used. */
declare module 'libmime/lib/charset.js' {
  const charset: {
    /** Never throws: an unknown charset is decoded as UTF-8. */
    decode(bytes: Buffer, charset: string): string
  }
  export = charset
}

declare module 'libmime' {
  const libmime: {
    /** A value with parameters (RFC 2045 §5.1), their continuations joined and decoded (RFC 2231). */
    parseHeaderValue(value: string): { value: string; params: Record<string, string> }
  }
  export = libmime
}
