/**
 * Reads the messages of a page one by one, as their raw bytes: memory holds one message at a time. A message that cannot
 * be read is skipped: it was deleted meanwhile, or its provider refuses it while other requests succeed. Any other failure
 * ends the page, and the client repeats it.
 */
import type { Message, MessageExportQuery } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { sleep } from '@waypost/platform/clock'
import type { JsonValue } from '@waypost/platform/json/guard'
import { type ExportedAccount, operationOf, plain } from './account.ts'

export type ListedMessage = Pick<Message, 'id' | 'thread_id' | 'date' | 'from' | 'folders' | 'unread' | 'starred'>

export interface Skipped {
  type: string
  message: string
}

/** A message of a page: its bytes, as a stream if they are many, or why they are missing. */
export type ReadMessage =
  | { item: ListedMessage; source: Uint8Array | ReadableStream<Uint8Array> }
  | { item: ListedMessage; skipped: Skipped }

type Filters = Omit<MessageExportQuery, 'format'>

const none = { select: undefined, fields: undefined, query_imap: undefined, metadata_pair: undefined }
/** The fields that files contain besides the message itself. */
const listed = ['id', 'thread_id', 'date', 'from', 'folders', 'unread', 'starred']
/** The longest wait for a provider that limits its rate, and the number of such waits for one message. */
const maxWait = 30
const waits = 3

export async function listMessages(account: ExportedAccount, query: Filters, position: JsonValue | undefined) {
  const list = operationOf(account, 'messages', 'list')
  const { items, next } = await list({ ...none, ...query, select: listed }, position)
  return { items: items.map((item): ListedMessage => plain(item)), next }
}

/** Whole message objects, for NDJSON. */
export async function listWholeMessages(account: ExportedAccount, query: Filters, position: JsonValue | undefined) {
  const list = operationOf(account, 'messages', 'list')
  const { items, next } = await list({ ...none, ...query }, position)
  return { items: items.map((item): Message => plain(item)), next }
}

export async function* readMessages(
  account: ExportedAccount,
  items: readonly ListedMessage[],
  query: Filters,
): AsyncGenerator<ReadMessage> {
  const get = operationOf(account, 'messages', 'get')
  const read = async (item: ListedMessage): Promise<ReadMessage> => {
    const at = { ...none, fields: 'raw_mime' as const, message_id: item.id, shared_from: query.shared_from }
    const { raw_mime: raw, source } = await get({ ...at, source: true })
    if (source !== undefined) return { item, source }
    if (raw === undefined) throw new ApiError('not_found', 'the provider returned no content')
    return { item, source: Buffer.from(raw, 'base64url') }
  }
  for (const item of items) {
    const outcome = await patiently(account, () => read(item)).catch((error: unknown) => error)
    if (isRead(outcome)) yield* released(outcome)
    else if (await concernsOnlyMessage(account, query, outcome)) yield { item, skipped: skippedOf(outcome) }
    else throw outcome
  }
}

/** Releases the connection of a stream that the file does not read. */
function* released(message: ReadMessage): Generator<ReadMessage> {
  try {
    yield message
  } finally {
    const source = 'source' in message ? message.source : undefined
    if (source instanceof ReadableStream && !source.locked) void source.cancel().catch(() => undefined)
  }
}

/** Messages that could not be read before, each by its id. Those that were deleted are left out. */
export async function* readAgain(
  account: ExportedAccount,
  ids: readonly string[],
  query: Filters,
): AsyncGenerator<ReadMessage> {
  const get = operationOf(account, 'messages', 'get')
  for (const id of ids) {
    const found = await patiently(account, () =>
      get({ ...none, select: listed, message_id: id, shared_from: query.shared_from }),
    ).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'not_found') return undefined
      throw error
    })
    if (found) yield* readMessages(account, [plain(found)], query)
  }
}

const isRead = (outcome: unknown): outcome is ReadMessage =>
  typeof outcome === 'object' && outcome !== null && 'item' in outcome

const skippedOf = (error: unknown): Skipped =>
  error instanceof ApiError
    ? { type: error.code, message: error.message }
    : { type: 'unreadable', message: 'the message cannot be read' }

/** Waits if the provider limits its rate and says for how long. */
async function patiently<T>(account: ExportedAccount, read: () => Promise<T>): Promise<T> {
  for (let left = waits; ; left -= 1) {
    try {
      return await read()
    } catch (error) {
      const seconds = waitOf(error)
      if (seconds === undefined || seconds > maxWait || left === 0) throw error
      await sleep(seconds * 1000, account.signal)
      account.signal.throwIfAborted()
    }
  }
}

const waitOf = (error: unknown): number | undefined =>
  error instanceof ApiError && error.code === 'provider_rate_limited' ? (error.details.retryAfter ?? 5) : undefined

/** Failures of the account, not of one message. */
const ofAccount: ReadonlySet<string> = new Set([
  'provider_rate_limited',
  'rate_limited',
  'grant_invalid',
  'grant_not_found',
  'insufficient_scopes',
  'resource_blocked',
  'not_supported_by_provider',
])

const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError'

/** Whether only this message cannot be read. If the error does not say it, a request for another one shows it. */
async function concernsOnlyMessage(account: ExportedAccount, query: Filters, error: unknown): Promise<boolean> {
  if (account.signal.aborted || !(error instanceof ApiError || isTimeout(error))) return false
  if (error instanceof ApiError) {
    if (ofAccount.has(error.code)) return false
    if (error.code === 'not_found') return true
  }
  const list = operationOf(account, 'messages', 'list')
  const requested = list({ ...none, ...query, limit: 1, page_token: undefined, select: ['id'] }, undefined)
  return requested.then(
    () => true,
    () => false,
  )
}
