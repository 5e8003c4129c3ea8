/** Lists of messages, newest first, of one folder or all. */
import type { Message } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { type Listing as ExchangeListing, folderOf, type MessagePage } from '../../mail/exchange/mail-api.ts'
import { unknownFolder } from '../../mail/one-folder.ts'
import { after, isBefore, newestFirst, type Position } from '../../mail/position.ts'
import type { Filters } from '../../mail/search.ts'
import { EwsError, isMissing } from '../errors.ts'
import { readConversations } from './conversations.ts'
import { freshFolders, lastFolders } from './folder-tree.ts'
import type { Mailbox, MailItem } from './mail-api.ts'
import type { MailFolder } from './mapping/folder.ts'
import { fromItem } from './mapping/message.ts'
import { folderOfId, itemIdOf, placeOf } from './mapping/names.ts'
import { passesRow, passesWhole, type Search, searchOf, timesOf } from './mapping/query.ts'
import { envelope, isInRows, type MessageQuery, withFields } from './mapping/wanted.ts'
import { MergedRows } from './merged-rows.ts'
import { needQueries } from './query-support.ts'
import { readItems } from './reading.ts'

/** Rounds of a list whose filter excludes most messages; a page may then have fewer messages than `limit`. */
const maxRounds = 10
/** Messages per round, if search results must be read to be judged. */
const readAtOnce = 50
/** How long the listed folders are reused for a list that continues. */
const foldersLastMs = 60_000

type Listing = ExchangeListing<Mailbox, MailItem, MessageQuery>
type Page = MessagePage<MailItem>

/** A condition for messages that were read: all filters except search words. */
export function matcher(mailbox: Mailbox, { q: _, ...filters }: Filters): (item: MailItem) => boolean {
  const named = folderOf(filters)
  const folder = named === undefined ? undefined : folderOfId(named)
  return (item) =>
    passesRow(item, filters) &&
    passesWhole(ours(mailbox, item), filters) &&
    (named === undefined || item.ParentFolderId?.Id === folder)
}

/** One page of the messages that a query finds. */
export async function listMessages(listing: Listing): Promise<Page> {
  const { session } = listing.mailbox
  const hasSmtpAddresses = session.server.since('Exchange2013')
  const search = searchOf(listing.filters, { hasSmtpAddresses, ...(listing.isScanned ? { isScanned: true } : {}) })
  try {
    if (listing.filters.search_query_native !== undefined) await needQueries(listing.mailbox)
    if (listing.filters.thread_id !== undefined) return await inThread(listing, listing.filters.thread_id, search)
    return await scan(listing, search)
  } catch (error) {
    throw refusedSearch(error, listing)
  }
}

/** An id that cannot be one of a folder is an error in the request, not a folder that was deleted. */
function folderId(folder: string): string {
  const theirs = folderOfId(folder)
  if (!theirs) throw unknownFolder()
  return theirs
}

const visible = (folders: readonly MailFolder[]): MailFolder[] => folders.filter(({ isHidden }) => !isHidden)
const idsOf = (folders: readonly MailFolder[]): string[] => folders.map(({ id }) => id)
/** The folders that are not known to be empty. */
const filled = (folders: readonly MailFolder[]): string[] => idsOf(visible(folders).filter(({ total }) => total !== 0))

/** The rows to read. New folders since the last list are found concurrently with the first call. */
async function openRows({ mailbox, folder, filters, position, limit }: Listing, search: Search): Promise<MergedRows> {
  const of = {
    mailbox,
    terms: [...search.terms, ...timesOf(filters, position)],
    query: search.query,
    // One more row shows whether there are more. Rows of the second that was returned last come again.
    size: limit + 1 + (search.query === undefined ? (position?.seen.length ?? 0) : 200),
    isNamed: folder !== undefined,
  }
  if (folder !== undefined) return new MergedRows(of, [folderId(folder)])
  const last = lastFolders(mailbox)
  if (!last) return new MergedRows(of, filled(await freshFolders(mailbox)))
  if (position && last.ageMs < foldersLastMs) return new MergedRows(of, idsOf(visible(last.folders)))
  const merged = new MergedRows(of, filled(last.folders))
  const [folders] = await Promise.all([freshFolders(mailbox), merged.fill()])
  merged.setFolders(filled(folders))
  return merged
}

/** Reads messages in their order, starting at a position. */
async function scan(listing: Listing, search: Search): Promise<Page> {
  const { limit } = listing
  const merged = await openRows(listing, search)
  const messages: MailItem[] = []
  let { position } = listing
  const isJudged = search.checkedAt.length > 0 || listing.keep !== undefined
  for (let round = 0; round < maxRounds; round++) {
    const wanted = limit - messages.length
    const batch = await takeRows(merged, listing, isJudged ? Math.max(wanted, Math.min(readAtOnce, limit * 2)) : wanted)
    const whole = await readRows(listing, search, batch)
    for (const row of batch) {
      if (messages.length === limit) return pageUntil(messages, position)
      position = after(position, placeOf(row))
      const message = whole.get(itemIdOf(row))
      if (message && isRetained(listing, search, message)) messages.push(message)
    }
    if (merged.isDone) return { messages }
    if (messages.length === limit) break
    if (merged.isExhausted) return stopped(messages, position, listing)
    listing.mailbox.session.io.signal.throwIfAborted()
  }
  return pageUntil(messages, position)
}

const pageUntil = (messages: MailItem[], position: Position | undefined): Page => ({
  messages,
  ...(position ? { next: position } : {}),
})

/** Another request continues, unless it would make no progress. */
function stopped(messages: MailItem[], position: Position | undefined, listing: Listing): Page {
  if (position !== listing.position) return pageUntil(messages, position)
  throw new ApiError(
    'provider_refused',
    'the search finds more than Exchange lists: narrow it, such as by `in` or a time',
  )
}

/** Up to `count` rows after the position that pass the filters on row fields. */
async function takeRows(merged: MergedRows, { position, filters }: Listing, count: number): Promise<MailItem[]> {
  const batch: MailItem[] = []
  while (batch.length < count) {
    const row = await merged.next()
    if (!row) break
    if (!isBefore(position, placeOf(row)) && passesRow(row, filters)) batch.push(row)
  }
  return batch
}

/** Messages with the requested fields, by item id. */
async function readRows(
  { mailbox, wanted, keep }: Listing,
  { checkedAt }: Search,
  batch: readonly MailItem[],
): Promise<ReadonlyMap<string, MailItem>> {
  const retained = keep ? batch.filter(keep) : batch
  const all = withFields(wanted, checkedAt)
  if (isInRows(all)) return new Map(retained.map((row) => [itemIdOf(row), row]))
  const read = await readItems(mailbox, retained.map(itemIdOf), all)
  return new Map(read.map((message) => [itemIdOf(message), message]))
}

/** Whether a message passes the filters that Exchange did not apply. */
function isRetained({ mailbox, filters, keep }: Listing, search: Search, message: MailItem): boolean {
  if (keep && !keep(message)) return false
  if (search.checkedAt.length === 0) return true
  // A restriction matches the subject exactly.
  const { subject: _, ...others } = filters
  return passesWhole(ours(mailbox, message), search.query === undefined ? others : filters)
}

const ours = ({ session }: Mailbox, message: MailItem): Message =>
  fromItem(message, { grantId: session.grant.id, fields: 'standard', shown: (html) => html })

/** All messages of a thread are read; nothing is searched. */
async function inThread(listing: Listing, threadId: string, { checkedAt }: Search): Promise<Page> {
  const { mailbox, folder, filters, position, limit, wanted, keep } = listing
  const at = folder === undefined ? undefined : folderId(folder)
  const known = withFields(envelope, [...checkedAt, 'size'])
  const conversation = (await readConversations(mailbox, [threadId], known)).get(threadId)
  const rest = (conversation?.messages ?? [])
    .filter((item) => passesRow(item, filters) && passesWhole(ours(mailbox, item), filters) && (!keep || keep(item)))
    .filter((item) => at === undefined || item.ParentFolderId?.Id === at)
    .filter((item) => !isBefore(position, placeOf(item)))
    .sort((a, b) => newestFirst(placeOf(a), placeOf(b)))
  const shown = rest.slice(0, limit)
  const last = shown.map(placeOf).reduce<Position | undefined>(after, position)
  const messages = wanted.fields.isSubsetOf(known.fields)
    ? shown
    : await readItems(mailbox, shown.map(itemIdOf), wanted)
  return { messages, ...(last && rest.length > limit ? { next: last } : {}) }
}

/** Reports a folder or search that Exchange rejects as an error in the request. */
function refusedSearch(error: unknown, { folder, filters }: Pick<Listing, 'folder' | 'filters'>): unknown {
  if (folder !== undefined && isMissing(error)) return unknownFolder()
  const isRefused = error instanceof EwsError && error.code === 'provider_refused'
  if (
    !isRefused ||
    filters.search_query_native === undefined ||
    !/query|search|aqs|restriction/i.test(error.responseCode)
  ) {
    return error
  }
  return invalidField(
    'search_query_native',
    `Exchange does not take this search: ${error.message.replace(/^Exchange refused: /, '')}`,
  )
}
