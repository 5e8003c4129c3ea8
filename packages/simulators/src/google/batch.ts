// Batches: a multipart/mixed body whose parts are HTTP requests. The parts of the response are their responses. Inner
// requests are handled like any others. https://developers.google.com/workspace/gmail/api/guides/batch
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Outcome } from '../shared/faults.ts'
import { jsonAnswer, type RawAnswer, type RawRequest } from '../shared/http.ts'
import { errorBody, GoogleError } from './errors.ts'
import { readMultipart } from './multipart.ts'

const maxRequests: Readonly<Record<string, number>> = { calendar: 50, gmail: 100 }
const defaultMaxRequests = 100
const PATH = /^\/batch(?:\/(?<api>[^/]+)\/[^/]+)?$/

export function isBatch({ method, url }: RawRequest): boolean {
  return method === 'POST' && PATH.test(url.pathname)
}

/** Answers a batch; `pass` handles its requests in sequence. */
export async function answerBatch(
  request: RawRequest,
  pass: (inner: RawRequest) => Promise<Outcome>,
): Promise<RawAnswer> {
  const parts = readMultipart(request.headers.get('content-type') ?? '', request.body)
  if (parts === undefined || parts.length === 0) {
    return failure(
      new GoogleError(400, 'badRequest', 'Failed to parse batch request, error: 0 items. Received batch body: '),
    )
  }
  const max = maxRequests[PATH.exec(request.url.pathname)?.groups?.api ?? ''] ?? defaultMaxRequests
  if (parts.length > max) {
    return failure(
      new GoogleError(400, 'badRequest', `The batch request contains too many calls: ${parts.length} > ${max}`),
    )
  }
  const boundary = `batch_${randomUUID()}`
  const chunks: Uint8Array[] = []
  for (const part of parts) {
    const inner = readInner(request, part.body)
    const outcome = inner === undefined ? badPart() : await pass(inner)
    const answer = typeof outcome === 'object' ? outcome : backendError()
    const contentId = part.headers.get('content-id')
    const head = [
      `--${boundary}`,
      'Content-Type: application/http',
      ...(contentId === null ? [] : [`Content-ID: <response-${contentId.replace(/^<|>$/g, '')}>`]),
      '',
      `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`,
      ...Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`),
      `content-length: ${answer.body.length}`,
      '',
      '',
    ].join('\r\n')
    chunks.push(Buffer.from(head), answer.body, Buffer.from('\r\n'))
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`))
  return {
    status: 200,
    headers: { 'content-type': `multipart/mixed; boundary=${boundary}` },
    body: Buffer.concat(chunks),
  }
}

/** The request inside a part. It uses the token of the batch unless it has its own. */
function readInner(outer: RawRequest, part: Uint8Array): RawRequest | undefined {
  const bytes = Buffer.from(part)
  const end = /\r?\n\r?\n/.exec(bytes.toString('latin1'))
  const head = bytes.toString('latin1', 0, end?.index ?? bytes.length)
  const body = end === null ? Buffer.alloc(0) : bytes.subarray(end.index + end[0].length)
  const [line = '', ...headerLines] = head.split(/\r?\n/)
  const [, method, target] = /^([A-Z]+) (\S+)(?: HTTP\/[\d.]+)?\s*$/.exec(line.trim()) ?? []
  if (method === undefined || target === undefined) return undefined
  const headers = new Headers()
  for (const headerLine of headerLines) {
    const colon = headerLine.indexOf(':')
    if (colon > 0) headers.append(headerLine.slice(0, colon).trim(), headerLine.slice(colon + 1).trim())
  }
  const authorization = outer.headers.get('authorization')
  if (!headers.has('authorization') && authorization !== null) headers.set('authorization', authorization)
  const path = URL.parse(target)?.href.replace(/^\w+:\/\/[^/]*/, '') ?? target
  const url = URL.parse(path, outer.url)
  const length = headers.get('content-length')
  const exact = length === null ? trimLineEnd(body) : body.subarray(0, Number(length))
  return url === null ? undefined : { method, url, headers, body: exact }
}

function trimLineEnd(body: Buffer): Buffer {
  let end = body.length
  while (end > 0 && (body[end - 1] === 10 || body[end - 1] === 13)) end--
  return body.subarray(0, end)
}

function badPart(): RawAnswer {
  return failure(new GoogleError(400, 'badRequest', 'Failed to parse a part of the batch request'))
}

function backendError(): RawAnswer {
  return failure(new GoogleError(503, 'backendError', 'The service is currently unavailable.'))
}

function failure(error: GoogleError): RawAnswer {
  return jsonAnswer(error.status, errorBody(error))
}
