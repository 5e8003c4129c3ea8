// Reads the content of a message: `raw` inside JSON, or an upload as the whole body, as a part next to the JSON, or
// in pieces. https://developers.google.com/workspace/gmail/api/guides/uploads
import { randomUUID } from 'node:crypto'
import { isObject, type JsonObject } from '../../shared/http.ts'
import { GoogleError, invalidArgument } from '../errors.ts'
import { type ApiAnswer, type ApiCall, parseJson } from '../http.ts'
import { readMultipart } from '../multipart.ts'
import type { Mailbox } from './mailbox.ts'

export interface Upload {
  /** The JSON: a message, or a draft that contains one. */
  readonly resource: JsonObject
  /** The message, if it was uploaded or given as `raw`. */
  readonly raw: Uint8Array | undefined
}

const MAX_BYTES = 35 * 1024 * 1024

/** Reads the content of a call to a path without uploads. */
export function readJsonUpload({ json }: ApiCall): Upload {
  const resource = json()
  const message = isObject(resource.message) ? resource.message : resource
  if (message.raw === undefined) return { resource, raw: undefined }
  if (typeof message.raw !== 'string' || !/^[\w\-+/]*={0,2}$/.test(message.raw)) {
    throw invalidArgument("Invalid value at 'message.raw' (TYPE_BYTES), Base64 decoding failed")
  }
  return { resource, raw: checkSize(Buffer.from(message.raw, 'base64url')) }
}

/** Answers a call to an upload path; `handle` runs when the content is complete. */
export function answerUpload(mailbox: Mailbox, call: ApiCall, handle: (upload: Upload) => ApiAnswer): ApiAnswer {
  const { query, headers, body } = call
  const uploadId = query.get('upload_id')
  if (uploadId !== null) return continueUpload(mailbox, call, uploadId, handle)
  switch (query.get('uploadType') ?? query.get('upload_protocol')) {
    case 'resumable':
      return beginUpload(mailbox, call)
    case 'multipart': {
      const [metadata, media] = readMultipart(headers.get('content-type') ?? '', body) ?? []
      if (metadata === undefined || media === undefined) {
        throw new GoogleError(
          400,
          'badContent',
          "Media type 'application/json' is not supported. Valid media types: [message/*]",
        )
      }
      const isBase64 = /base64/i.test(media.headers.get('content-transfer-encoding') ?? '')
      const raw = isBase64 ? Buffer.from(Buffer.from(media.body).toString(), 'base64') : media.body
      return handle({ resource: parseJson(metadata.body), raw: checkSize(raw) })
    }
    default: {
      const type = headers.get('content-type') ?? ''
      if (!type.startsWith('message/')) {
        throw new GoogleError(
          400,
          'badContent',
          `Media type '${type}' is not supported. Valid media types: [message/*]`,
        )
      }
      return handle({ resource: {}, raw: checkSize(body) })
    }
  }
}

function beginUpload(mailbox: Mailbox, { body, url }: ApiCall): ApiAnswer {
  const id = randomUUID()
  mailbox.uploads.set(id, { resource: parseJson(body), bytes: Buffer.alloc(0) })
  const location = new URL(url)
  location.searchParams.set('upload_id', id)
  return {
    status: 200,
    bytes: new Uint8Array(),
    headers: { location: location.href, 'x-guploader-uploadid': id },
  }
}

/** Adds the next piece (`Content-Range: bytes 0-524287/2000000`); a body without a range is the complete content. */
function continueUpload(
  mailbox: Mailbox,
  { headers, body }: ApiCall,
  id: string,
  handle: (upload: Upload) => ApiAnswer,
): ApiAnswer {
  const session = mailbox.uploads.get(id)
  if (session === undefined) throw new GoogleError(404, 'notFound', 'Upload not found')
  const range = headers.get('content-range')
  const [, from, , total] = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+|\*)$/.exec(range ?? '') ?? []
  if (range === null) session.bytes = Buffer.from(body)
  else if (from !== undefined && Number(from) === session.bytes.length) {
    session.bytes = Buffer.concat([session.bytes, body])
  }
  if (range !== null && total !== String(session.bytes.length)) {
    const { length } = session.bytes
    return { status: 308, bytes: new Uint8Array(), headers: length > 0 ? { range: `bytes=0-${length - 1}` } : {} }
  }
  mailbox.uploads.delete(id)
  return handle({ resource: session.resource, raw: checkSize(session.bytes) })
}

function checkSize(raw: Uint8Array): Uint8Array {
  if (raw.length <= MAX_BYTES) return raw
  throw new GoogleError(413, 'uploadTooLarge', 'Request entity too large')
}
