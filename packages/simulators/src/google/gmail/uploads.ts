// Reads the content of a message: `raw` inside JSON, or an upload as the whole body, as a part next to the JSON, or
// in pieces. https://developers.google.com/workspace/gmail/api/guides/uploads
import { isObject, type JsonObject } from '../../shared/http.ts'
import { GoogleError, invalidArgument } from '../errors.ts'
import { type ApiAnswer, type ApiCall, parseJson } from '../http.ts'
import { readMultipart } from '../multipart.ts'
import type { Mailbox } from './mailbox.ts'
import { beginUpload, continueUpload } from './resumable-uploads.ts'
import { checkSize } from './upload-size.ts'

export interface Upload {
  /** The JSON: a message, or a draft that contains one. */
  readonly resource: JsonObject
  /** The message, if it was uploaded or given as `raw`. */
  readonly raw: Uint8Array | undefined
}

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
  if (uploadId !== null) {
    return continueUpload(mailbox, call, uploadId, (resource, raw) => handle({ resource, raw }))
  }
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
