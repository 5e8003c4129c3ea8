/** Exchanges with Google in an account's name: its token, compressed answers, uploads. */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { ApiError } from '../../lib/api-error.ts'
import type { EgressResponse } from '../../lib/egress.ts'
import { EgressError } from '../../lib/egress-error.ts'
import { newToken } from '../../lib/ids.ts'
import type { SessionIo } from '../provider.ts'
import { type Refusal, unreachable } from './errors.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What a call carries: JSON, bytes that are uploaded, or both. */
export interface Content {
  body?: unknown
  raw?: { bytes: Uint8Array; contentType: string }
}

const unzip = promisify(gunzip)

/** The body of a call and the headers that say what it is. */
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

const jsonType = 'application/json; charset=UTF-8'

export interface Exchange {
  url: string
  method: Method
  headers: Record<string, string>
  body?: string | Uint8Array | undefined
  maxBytes: number
  deadlineMs: number
}

export interface Answer extends Refusal {
  body: Buffer
  /** The token that it was asked with. */
  token: string
}

/** One exchange in the account's name; where its token is refused, once more with another. */
export async function authorized(io: SessionIo, request: Exchange, refusedToken?: string): Promise<Answer> {
  const token = await io.accessToken(refusedToken)
  const answer = await exchange(io, request, token)
  return answer.status === 401 && refusedToken === undefined ? authorized(io, request, token) : answer
}

async function exchange(io: SessionIo, request: Exchange, token: string): Promise<Answer> {
  const { signal } = io
  try {
    const response = await io.request({
      ...request,
      headers: {
        ...request.headers,
        authorization: `Bearer ${token}`,
        accept: '*/*',
        // Google compresses its answers only for clients that name themselves so.
        'accept-encoding': 'gzip',
        'user-agent': 'waypost (gzip)',
      },
      signal,
      onOverflow: 'fail',
    })
    const header = (name: string): string | undefined => {
      const value = response.headers[name]
      return Array.isArray(value) ? value[0] : value
    }
    return { status: response.status, header, body: await inflated(response, request.maxBytes), token }
  } catch (error) {
    signal.throwIfAborted()
    throw unreachable(error)
  }
}

async function inflated({ headers, body }: EgressResponse, maxBytes: number): Promise<Buffer> {
  if (headers['content-encoding'] !== 'gzip' || body.length === 0) return body
  try {
    return await unzip(body, { maxOutputLength: maxBytes })
  } catch (cause) {
    throw new EgressError('too_large', `an answer of Google is broken, or larger than ${maxBytes} bytes`, { cause })
  }
}

export function parseJson<T>(body: Buffer): T {
  try {
    return JSON.parse(body.toString())
  } catch (cause) {
    throw new ApiError('provider_unavailable', 'Google answered with something that is no JSON; try again', { cause })
  }
}
