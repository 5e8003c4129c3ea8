/** The body of a call to Google: JSON, uploaded bytes, or both. */
import { newToken } from '@waypost/platform/ids'

export interface Content {
  body?: unknown
  raw?: { bytes: Uint8Array; contentType: string }
}

const jsonType = 'application/json; charset=UTF-8'

/** The body of a call, with the headers that describe it. */
export function contentOf({ body, raw }: Content): { headers: Record<string, string>; body?: string | Uint8Array } {
  const json = body === undefined ? undefined : JSON.stringify(body)
  if (!raw) return json === undefined ? { headers: {} } : { headers: { 'content-type': jsonType }, body: json }
  if (json === undefined) return { headers: { 'content-type': raw.contentType }, body: raw.bytes }
  const boundary = `upload_${newToken()}`
  const head = `--${boundary}\r\nContent-Type: ${jsonType}\r\n\r\n${json}\r\n--${boundary}\r\nContent-Type: ${raw.contentType}\r\n\r\n`
  return {
    headers: { 'content-type': `multipart/related; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(head), raw.bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  }
}
