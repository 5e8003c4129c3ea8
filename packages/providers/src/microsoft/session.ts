/**
 * A session of a Microsoft account: calls to Graph (https://learn.microsoft.com/graph/api/overview), one by one or in
 * batches. Ids are immutable ones, which stay the same when an item is moved
 * (https://learn.microsoft.com/graph/outlook-immutable-id). Every request and every part of a batch asks for them,
 * because Graph returns another kind of id otherwise.
 */
import type { Grant } from '@waypost/contract'
import type { ApiError } from '@waypost/platform/api-error'
import type { OnDropped, Reader } from '@waypost/platform/json/reader'
import type { SessionIo } from '../io.ts'
import { jsonOf, readAnswer } from '../shared/answer.ts'
import { type BatchFormat, errorOr, runBatches } from '../shared/batch.ts'
import {
  accepted,
  authorized,
  type ExchangeRequest,
  type ExchangeRules,
  exchange,
  type Method,
  type ProviderAnswer,
  type Query,
  queryText,
} from '../shared/exchange.ts'
import { acceptedFile, type ProviderFile } from '../shared/file-stream.ts'
import { type MailboxLimits, MailboxRequests } from '../shared/mailbox-requests.ts'
import { retryAfterSeconds } from '../shared/retry.ts'
import { refused } from './errors.ts'
import { graphPath, uploadAddress } from './graph-links.ts'
import { type Part, type PartAnswer, readBatch, writeBatch } from './json-batch.ts'
import { missingShared } from './scopes.ts'
import { at } from './token-endpoint.ts'

export type { Method, Query, QueryValue } from '../shared/exchange.ts'

interface Preferences {
  /** Further values of the `Prefer` header, such as `outlook.body-content-type="text"`. */
  prefer?: readonly string[]
  headers?: Record<string, string>
}

export interface CallOptions extends Preferences {
  query?: Query
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is, instead of JSON. */
  raw?: { bytes: string | Uint8Array; contentType: string }
  /** The maximum size of an answer. Default 8 MB. */
  maxBytes?: number
  deadlineMs?: number
  /** Scopes of which one is needed, if a refusal of access means that the grant has none of them. */
  scopes?: readonly string[]
}

export interface BatchCall extends Preferences {
  method?: Method
  /** Relative to the version, such as `me/messages/…`. */
  path: string
  query?: Query
  body?: unknown
}

export interface ReadCall<T> extends BatchCall {
  read?: Reader<T>
}

/** An answer that is not JSON: the bytes of a message, an attachment or a picture. */
export interface Bytes {
  body: Buffer
  contentType: string | undefined
}

export interface Session {
  readonly grant: Grant
  readonly io: SessionIo
  /**
   * The account's own mailbox in paths: `me`, or `users/<address>` if an application has access to the mailboxes of
   * an organization. `mailboxPath` builds paths with it.
   */
  readonly mailbox: string
  /**
   * One call to Graph; the path is relative to the version, such as `me/messages`. Returns what `read` finds in the
   * JSON and throws an ApiError. A reading call is retried if Graph or the connection failed, a changing one only if
   * Graph did nothing.
   */
  call<T>(method: Method, path: string, options: CallOptions & { read: Reader<T> }): Promise<T>
  /** The same without reading the answer. */
  execute(method: Method, path: string, options?: CallOptions): Promise<void>
  /** The same for an answer of bytes: `$value`. */
  download(path: string, options?: CallOptions): Promise<Bytes>
  /** The same as a stream, on a connection of its own. The deadline applies to its first bytes. */
  openFile(path: string, options?: CallOptions): Promise<ProviderFile>
  /** Follows a link from Graph (`@odata.nextLink`, `@odata.deltaLink`); only Graph itself receives the token. */
  follow<T>(link: string, options: Preferences & { read: Reader<T>; maxBytes?: number }): Promise<T>
  /**
   * Uploads a piece of a file to the URL of an upload session, which contains its permission; returns the raw answer.
   */
  upload(
    address: string,
    piece: { bytes: Uint8Array; headers: Record<string, string>; deadlineMs?: number },
  ): Promise<ProviderAnswer>
  /**
   * Several calls, 20 per request. Each has its own result or error, in the order of the calls. A call whose answer
   * differs from the others has its own reader.
   */
  batch<T>(calls: readonly ReadCall<T>[], read: Reader<T>): Promise<(T | ApiError)[]>
}

export const version = '/v1.0/'
const immutableIds = 'IdType="ImmutableId"'

const megabyte = 1024 * 1024
const callDeadlineMs = 30_000
const callBytes = 8 * megabyte
const batchDeadlineMs = 60_000
const batchBytes = 32 * megabyte
const uploadDeadlineMs = 120_000
const callsPerBatch = 20

/**
 * Graph accepts four concurrent requests of an application per mailbox
 * (https://learn.microsoft.com/graph/throttling-limits).
 */
export const mailboxLimits: MailboxLimits = { requests: 4, refusal: { status: 429, reason: 'TooManyRequests' } }

/** Makes a request within the limits of the mailbox, and pauses the mailbox if Graph says so. */
const runIn = (requests: MailboxRequests, io: SessionIo, weight: number, make: () => Promise<ProviderAnswer>) =>
  requests.run(io, weight, async () => {
    const answer = await make()
    if (answer.status === 429) requests.pauseFor(io, retryAfterSeconds(answer.header))
    return answer
  })

const rules: ExchangeRules = { name: 'Microsoft', headers: { 'user-agent': 'waypost' }, refused }

/** A path in a mailbox: the account's own, or a shared one. */
export const mailboxPath = ({ mailbox }: Pick<Session, 'mailbox'>, path: string, sharedFrom?: string): string =>
  `${sharedFrom === undefined ? mailbox : `users/${encodeURIComponent(sharedFrom)}`}/${path}`

export function open(grant: Grant, io: SessionIo): Session {
  const base = at('graph', version, io)
  const mailbox = mailboxOf(grant, io)
  const onDropped: OnDropped = ({ message }) =>
    io.log.warn({ grant_id: grant.id, problem: message }, 'an item that Microsoft answered with cannot be read')
  const reading = { name: rules.name, onDropped }
  const requestsTo = (path: string): MailboxRequests => {
    const whose = /^(?:me|users\/[^/?]+)(?=[/?]|$)/.exec(path)?.[0] ?? 'directory'
    return io.retained(`requests to ${whose}`, (forget) => new MailboxRequests(mailboxLimits, forget))
  }
  const inTurn = (path: string, weight = 1): ExchangeRules => ({
    ...rules,
    inTurn: (make) => runIn(requestsTo(path), io, weight, make),
  })
  const take = async <T>(
    { method, path, turn = path }: { method: Method; path: string; turn?: string },
    options: CallOptions,
    from: (answer: ProviderAnswer) => T,
  ): Promise<T> => {
    const request = requestOf(`${base}${path}${graphQuery(options.query)}`, method, options)
    const scopes = options.scopes ?? missingShared({ grant, mailbox }, method, path)
    return accepted(io, request, inTurn(turn), { take: from, scopes })
  }
  const json = ({ body }: ProviderAnswer): Promise<unknown> => jsonOf(body, rules, io)
  return {
    grant,
    io,
    mailbox,
    call: async (method, path, options) =>
      readAnswer(await take({ method, path }, options, json), options.read, reading),
    execute: (method, path, options = {}) => take({ method, path }, options, () => undefined),
    download: (path, options = {}) =>
      take({ method: 'GET', path }, options, ({ body, header }) => ({ body, contentType: header('content-type') })),
    openFile(path, options = {}) {
      const request = requestOf(`${base}${path}${graphQuery(options.query)}`, 'GET', options)
      const scopes = options.scopes ?? missingShared({ grant, mailbox }, 'GET', path)
      return acceptedFile(io, request, inTurn(path), { scopes })
    },
    // Links name the mailbox differently than our paths: `users('…')`.
    follow: async (link, { read, ...options }) => {
      const followed = { method: 'GET' as const, path: graphPath(link, base), turn: mailbox }
      return readAnswer(await take(followed, options, json), read, reading)
    },
    upload: (address, { bytes, headers, deadlineMs = uploadDeadlineMs }) => {
      const url = uploadAddress(address, io)
      const request = { url, method: 'PUT' as const, headers, body: bytes, maxBytes: megabyte, deadlineMs }
      return exchange(io, request, inTurn(mailbox))
    },
    batch: (calls, read) => {
      const requests = (): MailboxRequests => requestsTo(calls[0]?.path ?? '')
      return runBatches(io, calls, batchFormat({ grant, mailbox, io, base, requests, reading }, read))
    },
  }
}

/** A query with its question mark. A space is %20, which Graph also accepts within a batch. */
const graphQuery = (query: Query | undefined): string => queryText(query).replaceAll('+', '%20')

/** The mailbox of a grant: `me` for a signed-in user, a named one for access by an administrator. */
function mailboxOf({ settings }: Grant, io: SessionIo): string {
  if (settings.email_address === undefined) return 'me'
  const { email_address: address } = io.credentials()
  return typeof address === 'string' ? `users/${encodeURIComponent(address)}` : 'me'
}

const preferring = ({ prefer = [], headers = {} }: Preferences): Record<string, string> => ({
  ...headers,
  prefer: [immutableIds, ...prefer].join(', '),
})

function requestOf(url: string, method: Method, options: CallOptions): ExchangeRequest {
  const { body, raw, maxBytes = callBytes, deadlineMs = callDeadlineMs } = options
  const content =
    raw ?? (body === undefined ? undefined : { bytes: JSON.stringify(body), contentType: 'application/json' })
  return {
    url,
    method,
    headers: { ...(content ? { 'content-type': content.contentType } : {}), ...preferring(options) },
    body: content?.bytes,
    maxBytes,
    deadlineMs,
  }
}

interface BatchPlace {
  grant: Grant
  mailbox: string
  io: SessionIo
  base: string
  requests(): MailboxRequests
  reading: { name: string; onDropped: OnDropped }
}

/** Graph runs four calls of a batch concurrently, so a batch counts as that many requests. */
const batchFormat = <T>(
  { grant, mailbox, io, base, requests, reading }: BatchPlace,
  read: Reader<T>,
): BatchFormat<ReadCall<T>, PartAnswer, T> => ({
  name: rules.name,
  size: callsPerBatch,
  reads: ({ method = 'GET' }) => method === 'GET',
  async send(calls, refusedToken) {
    const parts = calls.map(
      ({ method = 'GET', path, query, body, read: _, ...preferences }): Part => ({
        method,
        url: `/${path}${graphQuery(query)}`,
        headers: preferring(preferences),
        ...(body === undefined ? {} : { body }),
      }),
    )
    const request: ExchangeRequest = {
      url: `${base}$batch`,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: writeBatch(parts),
      maxBytes: batchBytes,
      deadlineMs: batchDeadlineMs,
      calls: parts.length,
    }
    const inTurn: ExchangeRules = { ...rules, inTurn: (make) => runIn(requests(), io, parts.length, make) }
    const answer = await authorized(io, request, inTurn, refusedToken)
    if (answer.status >= 300) throw refused(answer)
    return { token: answer.token, parts: readBatch(await jsonOf(answer.body, rules, io), parts.length) }
  },
  async result({ status, headers, body }, call) {
    if (status < 300) return errorOr(async () => readAnswer(body, call.read ?? read, reading))
    const header = (name: string): string | undefined => headers.get(name)
    if (status === 429) requests().pauseFor(io, retryAfterSeconds(header))
    const scopes = missingShared({ grant, mailbox }, call.method ?? 'GET', call.path)
    return refused({ status, header, body: Buffer.from(JSON.stringify(body ?? null)) }, scopes)
  },
})
