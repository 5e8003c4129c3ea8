// libmime has no types of its own; this is the part of it that is used.
declare module 'libmime/lib/charset.js' {
  const charset: {
    /** Never throws: a charset that nobody knows is read as UTF-8. */
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
