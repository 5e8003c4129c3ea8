/** A session of a Zoom account: calls to its REST API (https://developers.zoom.us/docs/api/). */
import type { Grant } from '@waypost/contract'
import type { OnDropped, Reader } from '@waypost/platform/json/reader'
import type { SessionIo } from '../io.ts'
import { jsonOf, readAnswer } from '../shared/answer.ts'
import { accepted, type ExchangeRequest, type ExchangeRules, type Method } from '../shared/exchange.ts'
import { refused } from './errors.ts'
import { at } from './token-endpoint.ts'

export interface CallOptions {
  /** Sent as JSON. */
  body?: unknown
  /** Scopes of which one is needed. */
  scopes: readonly string[]
}

export interface Session {
  readonly grant: Grant
  readonly io: SessionIo
  /** One call; the path is below `/v2`. Returns what `read` finds in the JSON. */
  call<T>(method: Method, path: string, options: CallOptions & { read: Reader<T> }): Promise<T>
  /** The same without reading the answer. */
  execute(method: Method, path: string, options: CallOptions): Promise<void>
}

const maxBytes = 1024 * 1024
const deadlineMs = 20_000

const rules: ExchangeRules = { name: 'Zoom', headers: { 'user-agent': 'waypost' }, refused }

export function open(grant: Grant, io: SessionIo): Session {
  const onDropped: OnDropped = ({ message }) =>
    io.log.warn({ grant_id: grant.id, problem: message }, 'an item that Zoom answered with cannot be read')
  const requestOf = (method: Method, path: string, { body }: CallOptions): ExchangeRequest => ({
    url: at('api', `/v2${path}`, io),
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
    maxBytes,
    deadlineMs,
  })
  return {
    grant,
    io,
    call: async (method, path, { read, ...options }) => {
      const take = ({ body }: { body: Buffer }): Promise<unknown> => jsonOf(body, rules, io)
      const { scopes } = options
      const json = await accepted(io, requestOf(method, path, options), rules, { take, scopes })
      return readAnswer(json, read, { name: rules.name, onDropped })
    },
    execute: (method, path, options) =>
      accepted(io, requestOf(method, path, options), rules, { take: () => undefined, scopes: options.scopes }),
  }
}
