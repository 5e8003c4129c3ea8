/**
 * Lists of messages, newest first: page by page with `$filter`, or all results of `$search`, which are at most 1000.
 */
import type { Message } from '@waypost/contract'
import { type ApiError, invalidField } from '@waypost/platform/api-error'
import { type Listing as ExchangeListing, folderOf, type MessagePage } from '../../mail/exchange/mail-api.ts'
import { timeText } from '../../mail/exchange/mapping.ts'
import { hasSubject, hasWords, passes } from '../../mail/filters.ts'
import { unknownFolder } from '../../mail/one-folder.ts'
import { after, isBefore, type Position } from '../../mail/position.ts'
import type { Filters } from '../../mail/search.ts'
import { isTooLarge } from '../../shared/exchange.ts'
import { providerStatus } from '../../shared/refusal.ts'
import { isMissing } from '../errors.ts'
import { listPage } from '../graph-pages.ts'
import { type GraphMessage, graphMessage, idPath, type Mailbox } from './mail-api.ts'
import type { WellKnown } from './mapping/folder.ts'
import { byPlace, fromMessage, placeOf } from './mapping/message.ts'
import { asSent, envelope, type MessageQuery, queryOf, withProperties } from './mapping/properties.ts'
import { checkedAt, type Search, searchOf, searchText, termsOf } from './mapping/query.ts'
import { pageBytes, readMessages } from './reading.ts'
import { wellKnownIds } from './well-known-folders.ts'

const perPage = 100
/** Rounds of a list whose filter excludes most messages; a page may then have fewer messages than `limit`. */
const maxRounds = 10
/** `$search` returns at most 1000 messages. */
const hitsPerPage = 250
const maxHitPages = 4
/** The property that a list is ordered by must be the first condition of its filter. */
const earliest = '1900-01-01T00:00:00Z'

type Listing = ExchangeListing<Mailbox, GraphMessage, MessageQuery>
type Page = MessagePage<GraphMessage>

/** One page of the messages that a query finds. */
export async function listMessages(listing: Listing): Promise<Page> {
  const search: Search = listing.isScanned ? { terms: termsOf(listing.filters) } : searchOf(listing.filters)
  try {
    if ('terms' in search) return await scan(listing, search.terms)
    return await withWanted(listing, pageOf(await hitsOf(listing, search.words), listing))
  } catch (error) {
    throw refusedSearch(error, listing)
  }
}

const isWithin = ({ properties, attachments }: MessageQuery, known: MessageQuery): boolean =>
  (!attachments || known.attachments) && properties.every((name) => known.properties.includes(name))

/** A search returns only the envelopes of messages; other fields are read by id. */
async function withWanted({ mailbox, wanted }: Listing, page: Page): Promise<Page> {
  if (isWithin(wanted, envelope)) return page
  const ids = page.messages.map(({ id }) => id)
  return { ...page, messages: await readMessages(mailbox, ids, wanted) }
}

/** A condition for messages that were read: all filters except search words. */
export async function matcher(mailbox: Mailbox, filters: Filters): Promise<(message: GraphMessage) => boolean> {
  const named = folderOf(filters)
  const folder = named === undefined ? undefined : ((await wellKnownIds(mailbox)).get(named as WellKnown) ?? named)
  return (message) =>
    passesEnvelope(mailbox, message, filters) && (folder === undefined || message.parentFolderId === folder)
}

function passesEnvelope(mailbox: Mailbox, message: GraphMessage, filters: Filters): boolean {
  const { has_attachment: files, subject, ...others } = filters
  const shown = ours(mailbox, message)
  return (
    passes(shown, others) &&
    (subject === undefined || hasSubject(shown, subject)) &&
    (files === undefined || files === (message.hasAttachments ?? false))
  )
}

const messagesPath = ({ mailbox, folder }: Pick<Listing, 'mailbox' | 'folder'>): string =>
  mailbox.path(folder === undefined ? 'messages' : `mailFolders/${folderPath(folder)}/messages`)

/** An id that cannot be one of a folder is an error in the request, not a folder that was deleted. */
function folderPath(folder: string): string {
  try {
    return idPath('folder', folder)
  } catch {
    throw unknownFolder()
  }
}

/** Reads messages in their order, starting at a position. */
async function scan(listing: Listing, terms: readonly string[]): Promise<Page> {
  const { mailbox, limit, filters } = listing
  const wanted = withProperties(listing.wanted, checkedAt(filters))
  const messages: GraphMessage[] = []
  let { position } = listing
  let size = Math.min(limit, perPage)
  let place: string | undefined
  for (let round = 0; round < maxRounds; round++) {
    const query = {
      ...queryOf(wanted),
      $filter: filterText(filters, terms, position),
      $orderby: 'receivedDateTime desc',
      $top: Math.min(size + (position?.seen.length ?? 0), 1000),
    }
    const list = { path: messagesPath(listing), query, read: graphMessage, prefer: asSent, maxBytes: pageBytes }
    const page = await listPage(mailbox.session, list, place).catch((error: unknown) => {
      if (!isTooLarge(error) || size === 1) throw error
      return undefined
    })
    if (!page) {
      size = Math.ceil(size / 4)
      continue
    }
    const before: Position | undefined = position
    for (const message of page.items) {
      if (isBefore(before, placeOf(message))) continue
      if (messages.length === limit) return { messages, ...(position ? { next: position } : {}) }
      position = after(position, placeOf(message))
      if (isRetained(listing, message)) messages.push(message)
    }
    if (page.next === undefined) return { messages }
    if (messages.length === limit) break
    // If a page contains only messages of the second that was returned last, Graph's own link leads past them.
    place = position === before ? page.next : undefined
    mailbox.session.io.signal.throwIfAborted()
  }
  return { messages, ...(position ? { next: position } : {}) }
}

function filterText(filters: Filters, terms: readonly string[], position: Position | undefined): string | undefined {
  const from = filters.received_after ?? filters.latest_message_after
  const bounds = [filters.received_before, filters.latest_message_before, position && position.date + 1]
  const until = Math.min(...bounds.flatMap((each) => each ?? []))
  const times = [
    ...(from === undefined ? [] : [`receivedDateTime ge ${timeText(from + 1)}`]),
    ...(Number.isFinite(until) ? [`receivedDateTime lt ${timeText(until)}`] : []),
  ]
  if (times.length === 0 && terms.length === 0) return undefined
  return [...(times.length === 0 ? [`receivedDateTime ge ${earliest}`] : times), ...terms].join(' and ')
}

/** Whether a message that a filter found passes the filters that Graph cannot express. */
function isRetained({ mailbox, filters, keep }: Listing, message: GraphMessage): boolean {
  if (keep && !keep(message)) return false
  const { q, to, cc, bcc, any_email } = filters
  if (checkedAt(filters).length === 0) return true
  const shown = ours(mailbox, message)
  return passes(shown, { to, cc, bcc, any_email }) && (q === undefined || hasWords(shown, q))
}

const ours = ({ session }: Mailbox, message: GraphMessage): Message =>
  fromMessage(message, { grantId: session.grant.id, fields: 'standard', shown: (html) => html })

/** The messages that words find, with their envelopes; newest first. Graph orders them by the time they were sent. */
async function hitsOf(listing: Listing, words: string): Promise<GraphMessage[]> {
  const { mailbox } = listing
  const query = { ...queryOf(envelope), $search: searchText(words), $top: hitsPerPage }
  const list = { path: messagesPath(listing), query, read: graphMessage, maxBytes: pageBytes }
  const hits = new Map<string, GraphMessage>()
  let place: string | undefined
  for (let count = 0; count < maxHitPages; count++) {
    const page = await listPage(mailbox.session, list, place)
    for (const message of page.items) hits.set(message.id, message)
    place = page.next
    if (place === undefined) break
  }
  return [...hits.values()].filter((message) => isHit(listing, message)).sort(byPlace)
}

/** Whether a message that words found passes all other filters. */
const isHit = ({ mailbox, filters, keep }: Listing, message: GraphMessage): boolean =>
  (!keep || keep(message)) && passesEnvelope(mailbox, message, filters)

/** One page of a complete list. */
function pageOf(all: readonly GraphMessage[], { position, limit }: Listing): Page {
  const rest = all.filter((message) => !isBefore(position, placeOf(message)))
  const messages = rest.slice(0, limit)
  const last = messages.map(placeOf).reduce<Position | undefined>(after, position)
  return { messages, ...(last && rest.length > limit ? { next: last } : {}) }
}

/** Reports a folder or search that Graph rejects as an error in the request. */
function refusedSearch(error: unknown, { folder, filters }: Pick<Listing, 'folder' | 'filters'>): unknown {
  if (folder !== undefined && isMissing(error)) return unknownFolder()
  const isRefused = providerStatus(error) === 400 && filters.search_query_native !== undefined
  return isRefused ? badSearch(error as ApiError) : error
}

const badSearch = ({ message }: ApiError): ApiError =>
  invalidField(
    'search_query_native',
    `Microsoft does not take this search: ${message.replace(/^Microsoft refused: /, '')}`,
  )
