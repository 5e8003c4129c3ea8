/** Messages that are extremely large in one respect. */
let numbers = 0

export const headed = (subject: string, { headers = '', body = 'Text' } = {}): string =>
  `From: Ada <ada@example.com>\r\nTo: mira@example.com\r\nSubject: ${subject}\r\n` +
  `Date: Mon, 01 Jun 2026 12:00:00 +0000\r\nMessage-ID: <lag.${++numbers}@example.com>\r\nMIME-Version: 1.0\r\n${headers}\r\n${body}\r\n`

export const manyParts = (count: number): string =>
  headed('many parts', {
    headers: 'Content-Type: multipart/mixed; boundary=b\r\n',
    body: `${'--b\r\nContent-Type: text/plain\r\n\r\nx\r\n'.repeat(count)}--b--`,
  })

export function deepParts(depth: number): string {
  const open = Array.from(
    { length: depth },
    (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
  ).join('')
  return headed('deep', {
    headers: open.slice(0, open.indexOf('\r\n') + 2),
    body: `${open.slice(open.indexOf('\r\n') + 4)}\r\n${'x'.repeat(200_000)}`,
  })
}

export const manyAddresses = (count: number): string =>
  headed('many addresses', {
    headers: `Cc: ${Array.from({ length: count }, (_, at) => `"P ${at}" <p${at}@example.com>`).join(',\r\n ')}\r\n`,
  })

export const longReferences = (bytes: number): string =>
  headed('references', {
    headers: `References: ${Array.from({ length: Math.floor(bytes / 26) }, (_, at) => `<${String(at).padStart(9, '0')}@example.com>`).join('\r\n ')}\r\n`,
  })

export const manyHeaders = (count: number): string =>
  headed('many headers', {
    headers: Array.from({ length: count }, (_, at) => `X-Line-${at}: value ${at}\r\n`).join(''),
  })

export const longHtml = (bytes: number): string => {
  const line = '<p>The quick brown fox jumps over the lazy dog.</p>\r\n'
  return headed('long html', {
    headers: 'Content-Type: text/html; charset=utf-8\r\n',
    body: line.repeat(Math.ceil(bytes / line.length)),
  })
}
