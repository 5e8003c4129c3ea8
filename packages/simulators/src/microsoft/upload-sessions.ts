// Upload sessions: content that is too large for one request is sent in pieces, in order, to a URL that needs no
// token. https://learn.microsoft.com/graph/outlook-large-attachments
import { randomBytes } from 'node:crypto'
import {
  isObject,
  type JsonObject,
  jsonAnswer,
  type RawAnswer,
  type RawRequest,
  type WebRoute,
} from '../shared/http.ts'
import { errorBody, GraphError, requestMark } from './errors.ts'

const minBytes = 2_097_152
const maxBytes = 150 * 1024 * 1024
const maxPiece = 4 * 1024 * 1024
const lifetimeMs = 24 * 3_600_000
const PATH = '/upload-sessions'

/** The announced attachment. */
export interface UploadItem {
  readonly name: string
  readonly size: number
  readonly contentType: string | undefined
  readonly isInline: boolean
  readonly contentId: string | undefined
}

interface Session {
  readonly item: UploadItem
  readonly expiresAt: number
  /** Stores the complete content and returns its location. */
  readonly finish: (item: UploadItem, bytes: Uint8Array) => { readonly location: string }
  /** The bytes that have arrived. */
  readonly pieces: Uint8Array[]
  length: number
}

export interface UploadSessions {
  /** The response of `createUploadSession`. */
  open(item: UploadItem, finish: Session['finish']): JsonObject
  readonly routes: readonly WebRoute[]
}

/** The validated `AttachmentItem` of a request. */
export function readUploadItem(json: JsonObject): UploadItem {
  const item = json.AttachmentItem ?? json.attachmentItem
  if (!isObject(item) || typeof item.name !== 'string' || typeof item.size !== 'number') {
    throw new GraphError(400, 'ErrorInvalidRequest', 'The attachment item needs a name and a size.')
  }
  if (String(item.attachmentType).toLowerCase() !== 'file') {
    throw new GraphError(400, 'ErrorInvalidRequest', 'Only attachments of the type file can be uploaded.')
  }
  if (item.size < minBytes) {
    throw new GraphError(
      400,
      'ErrorAttachmentSizeShouldNotBeLessThanMinimumSize',
      'The attachment size should not be less than the minimum size.',
    )
  }
  if (item.size > maxBytes) {
    throw new GraphError(413, 'ErrorAttachmentSizeLimitExceeded', 'The attachment size exceeds the allowable limit.')
  }
  return {
    name: item.name,
    size: item.size,
    contentType: typeof item.contentType === 'string' ? item.contentType : undefined,
    isInline: item.isInline === true,
    contentId: typeof item.contentId === 'string' ? item.contentId : undefined,
  }
}

export function createUploadSessions(url: string, now: () => number): UploadSessions {
  const sessions = new Map<string, Session>()

  function answering(request: RawRequest, token: string, run: (session: Session) => RawAnswer): RawAnswer {
    try {
      const session = sessions.get(token)
      if (session !== undefined && session.expiresAt > now()) return run(session)
      throw new GraphError(404, 'ErrorItemNotFound', 'The upload session was not found or has expired.')
    } catch (error) {
      if (!(error instanceof GraphError)) throw error
      return jsonAnswer(error.status, errorBody(error, requestMark(request.headers, now())))
    }
  }

  function put(session: Session, request: RawRequest, token: string): RawAnswer {
    takePiece(session, request)
    if (session.length < session.item.size) return jsonAnswer(200, progress(session))
    sessions.delete(token)
    const { location } = session.finish(session.item, Buffer.concat(session.pieces))
    return { status: 201, headers: { location: url + location, 'content-length': '0' }, body: new Uint8Array() }
  }

  const on = (
    method: WebRoute['method'],
    run: (session: Session, request: RawRequest, token: string) => RawAnswer,
  ): WebRoute => ({
    method,
    path: `${PATH}/:token`,
    handle: (request, { token = '' }) => answering(request, token, (session) => run(session, request, token)),
  })

  return {
    open(item, finish) {
      const token = randomBytes(24).toString('base64url')
      const session: Session = { item, finish, expiresAt: now() + lifetimeMs, pieces: [], length: 0 }
      sessions.set(token, session)
      return {
        '@odata.context': 'https://graph.microsoft.com/v1.0/$metadata#microsoft.graph.uploadSession',
        uploadUrl: `${url}${PATH}/${token}`,
        expirationDateTime: new Date(session.expiresAt).toISOString(),
        nextExpectedRanges: ['0-'],
      }
    },
    routes: [
      on('PUT', put),
      on('GET', (session) => jsonAnswer(200, progress(session))),
      on('DELETE', (_session, _request, token) => {
        sessions.delete(token)
        return { status: 204, headers: {}, body: new Uint8Array() }
      }),
    ],
  }
}

/** Names are capitalized here, as the service behind Graph writes them. */
function progress({ expiresAt, length }: Session): JsonObject {
  return { ExpirationDateTime: new Date(expiresAt).toISOString(), NextExpectedRanges: [String(length)] }
}

function takePiece(session: Session, { headers, body }: RawRequest): void {
  const [, from, to, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? []
  if (from === undefined || Number(total) !== session.item.size || Number(to) - Number(from) + 1 !== body.length) {
    throw new GraphError(400, 'ErrorInvalidRequest', 'The Content-Range header does not fit the upload.')
  }
  if (body.length > maxPiece) {
    throw new GraphError(413, 'RequestEntityTooLarge', 'The maximum request length supported is 4MB.')
  }
  if (Number(from) !== session.length) {
    throw new GraphError(416, 'ErrorInvalidRange', 'The uploaded range is not the one that is expected next.')
  }
  session.pieces.push(body)
  session.length += body.length
}
