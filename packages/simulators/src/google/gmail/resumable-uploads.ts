// Uploads in pieces. A session keeps what has arrived, and reports it with 308 and a `Range`. The call runs once, when
// the last byte has arrived; the session then repeats its answer.
// https://developers.google.com/workspace/gmail/api/guides/uploads#resumable
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../shared/http.ts'
import { GoogleError } from '../errors.ts'
import { type ApiAnswer, type ApiCall, parseJson } from '../http.ts'
import type { Mailbox } from './mailbox.ts'
import type { UploadSession } from './stored.ts'
import { checkLength } from './upload-size.ts'

/** Pieces other than the last one are stored in multiples of this size. */
const unit = 256 * 1024

export function beginUpload(mailbox: Mailbox, { body, headers, url }: ApiCall): ApiAnswer {
  const announced = headers.get('x-upload-content-length')
  if (announced !== null && !/^\d{1,15}$/.test(announced)) throw badRequest('X-Upload-Content-Length is no number')
  const total = announced === null ? undefined : Number(announced)
  checkLength(total ?? 0)
  const type = headers.get('x-upload-content-type')
  if (type !== null && !type.startsWith('message/')) {
    throw new GoogleError(400, 'badContent', `Media type '${type}' is not supported. Valid media types: [message/*]`)
  }
  const id = randomUUID()
  mailbox.uploads.set(id, { resource: parseJson(body), total, pieces: [], length: 0, answer: undefined })
  const location = new URL(url)
  location.searchParams.set('upload_id', id)
  return {
    status: 200,
    bytes: new Uint8Array(),
    headers: { location: location.href, 'x-guploader-uploadid': id },
  }
}

/** `handle` runs when the last byte has arrived. */
export function continueUpload(
  mailbox: Mailbox,
  { headers, body }: ApiCall,
  id: string,
  handle: (resource: JsonObject, raw: Uint8Array) => ApiAnswer,
): ApiAnswer {
  const session = mailbox.uploads.get(id)
  if (session === undefined) throw new GoogleError(404, 'notFound', 'Upload not found')
  if (session.answer !== undefined) return session.answer
  add(session, headers.get('content-range'), body)
  const { length, total, resource, pieces } = session
  checkLength(length)
  if (length !== total) {
    return { status: 308, bytes: new Uint8Array(), headers: length > 0 ? { range: `bytes=0-${length - 1}` } : {} }
  }
  session.answer = handle(resource, Buffer.concat(pieces))
  session.pieces.length = 0
  return session.answer
}

/**
 * Adds a piece (`bytes 0-524287/2000000`). A body without a range is the complete content, and `bytes *` followed by the
 * total asks for the state.
 */
function add(session: UploadSession, range: string | null, body: Uint8Array): void {
  if (range === null) {
    session.pieces = [body]
    session.length = body.length
    session.total ??= body.length
    if (session.total !== body.length) throw badRequest('the content has another length than announced')
    return
  }
  const named = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+|\*)$/.exec(range)
  if (named === null) throw badRequest(`Content-Range '${range}' is malformed`)
  const [, from, to, total] = named
  if (total !== '*') {
    session.total ??= Number(total)
    if (session.total !== Number(total)) throw badRequest('the total has changed')
  }
  if (from === undefined) return
  if (Number(to) - Number(from) + 1 !== body.length) throw badRequest('Content-Range does not match the content')
  if (Number(from) !== session.length) return
  const isLast = Number(to) + 1 === session.total
  const retained = isLast ? body.length : body.length - (body.length % unit)
  if (retained === 0) return
  session.pieces.push(body.slice(0, retained))
  session.length += retained
}

const badRequest = (message: string): GoogleError => new GoogleError(400, 'badRequest', message)
