/**
 * A request as an approval stores it: a JSON head, and after it the bytes of its files. The approval covers exactly these
 * bytes, and they are carried out. Pure, except for the digest, which takes turns with other work.
 */
import { sha256Of } from '@waypost/platform/crypto/digest'
import type { JsonValue } from '@waypost/platform/json/guard'
import type { RequestFile } from '../../sending/requests/outgoing.ts'

export interface RequestedAction {
  /** The id of the route, such as `messages.send`. */
  operation: string
  /** The parameters of the path. */
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, string | string[]>>
  /** The request headers that the route defines. */
  headers: Readonly<Record<string, string>>
  json: JsonValue
  files: readonly RequestFile[]
  /** A whole message instead of JSON and files. */
  mime: Uint8Array | undefined
}

interface Head extends Pick<RequestedAction, 'operation' | 'params' | 'query' | 'headers' | 'json'> {
  files: { name: string; filename: string; contentType: string | null; size: number }[]
  mime: number | null
}

const headLength = 4

export function encodeRequest(action: RequestedAction): Buffer {
  const { operation, params, query, headers, json, files, mime } = action
  const head: Head = {
    operation,
    params,
    query,
    headers,
    json,
    files: files.map(({ name, filename, contentType, content }) => ({
      name,
      filename,
      contentType: contentType ?? null,
      size: content.byteLength,
    })),
    mime: mime ? mime.byteLength : null,
  }
  const text = Buffer.from(JSON.stringify(head))
  const length = Buffer.alloc(headLength)
  length.writeUInt32BE(text.length)
  return Buffer.concat([length, text, ...files.map(({ content }) => content), ...(mime ? [mime] : [])])
}

export function decodeRequest(bytes: Buffer): RequestedAction {
  const end = headLength + bytes.readUInt32BE(0)
  const head: Head = JSON.parse(bytes.toString('utf8', headLength, end))
  let at = end
  const take = (size: number): Buffer => {
    at += size
    return bytes.subarray(at - size, at)
  }
  const files = head.files.map(({ size, contentType, ...file }) => ({
    ...file,
    contentType: contentType ?? undefined,
    content: take(size),
  }))
  return { ...head, files, mime: head.mime === null ? undefined : take(head.mime) }
}

/** The SHA-256 of a stored request, which the approval names. */
export const hashOf = (bytes: Buffer): Promise<string> => sha256Of([bytes])
