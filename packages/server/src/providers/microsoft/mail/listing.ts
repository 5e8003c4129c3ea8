/** Lists of messages, newest first: by `$filter` page by page, by `$search` all that it finds, which are 1000 at most. */
import type { Message } from '@waypost/contract'
import { type ApiError, invalidField } from '../../../lib/api-error.ts'
import { hasSubject, hasWords, passes } from '../../mail/filters.ts'
import { unknownFolder } from '../../mail/one-folder.ts'
import { after, isBefore, type Position } from '../../mail/position.ts'
import type { Filters } from '../../mail/search.ts'
import { isTooLarge } from '../../shared/exchange.ts'
import { providerStatus } from '../../shared/refusal.ts'
import { isMissing } from '../errors.ts'
import { listPage } from '../graph-pages.ts'
import { type GraphMessage, graphMessage, idPath, type Mailbox } from './mail-api.ts'
import { fromMessage, timeText } from './mapping/message.ts'
import { byPlace, placeOf } from './mapping/position.ts'
import { asSent, envelope, queryOf, type Wanted, withProperties } from './mapping/properties.ts'
import { lookedAt, type Search, searchOf, searchText, termsOf } from './mapping/query.ts'

const megabyte = 1024 * 1024
/** Of one page of messages with their texts. */
export const pageBytes = 48 * megabyte
const perPage = 100
/** Rounds of a list whose filter lets little through; a page may have fewer messages than were asked for. */
const maxRounds = 10
/** `$search` finds no more than 1000 messages. */
const hitsPerPage = 250
const maxHitPages = 4
/** What is ordered by must be the first condition of a filter. */
const earliest = '1900-01-01T00:00:00Z'

export interface Listing {
  mailbox: Mailbox
  /** The folder; all of them where it is absent. */
  folder: string | undefined
  filters: Filters
  position: Position | undefined
  limit: number
  /** What must be known of the messages beside. */
  wanted: Wanted
  /** Which of them are meant, where filters do not say it. */
  keep?: ((message: GraphMessage) => boolean) | undefined
  /** They are gone through and not searched for: an index knows of what was just written a little later. */
  isScanned?: true
}

export interface MessagePage {
  messages: GraphMessage[]
  next?: Position
}

/** The folder that a query names. */
export const folderOf = (filters: Filters): string | undefined => filters.in ?? filters.shared_folder_id

/** One page of the messages that a query finds; those that were searched for have their envelope alone. */
export async function listMessages(listing: Listing): Promise<MessagePage & { isSearched: boolean }> {
  const search: Search = listing.isScanned ? { terms: termsOf(listing.filters) } : searchOf(listing.filters)
  try {
    if ('terms' in search) return { ...(await scan(listing, search.terms)), isSearched: false }
    return { ...pageOf(await hitsOf(listing, search.words), listing), isSearched: true }
  } catch (error) {
    throw refusedSearch(error, listing)
  }
}

const messagesPath = ({ mailbox, folder }: Pick<Listing, 'mailbox' | 'folder'>): string =>
  mailbox.path(folder === undefined ? 'messages' : `mailFolders/${folderPath(folder)}/messages`)

/** What is no id of a folder is the client's mistake, and no folder that is gone. */
function folderPath(folder: string): string {
  try {
    return idPath('folder', folder)
  } catch {
    throw unknownFolder()
  }
}

/** Goes through messages in their order, from a position on. */
async function scan(listing: Listing, terms: readonly string[]): Promise<MessagePage> {
  const { mailbox, limit, filters } = listing
  const wanted = withProperties(listing.wanted, lookedAt(filters))
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
      if (isKept(listing, message)) messages.push(message)
    }
    if (page.next === undefined) return { messages }
    if (messages.length === limit) break
    // A page of nothing but messages of one second that were shown is gone past by Graph's own link.
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

/** Of messages that a filter found: whether they pass what it could not say. */
function isKept({ mailbox, filters, keep }: Listing, message: GraphMessage): boolean {
  if (keep && !keep(message)) return false
  const { q, to, cc, bcc, any_email } = filters
  if (lookedAt(filters).length === 0) return true
  const shown = ours(mailbox, message)
  return passes(shown, { to, cc, bcc, any_email }) && (q === undefined || hasWords(shown, q))
}

const ours = ({ session }: Mailbox, message: GraphMessage): Message =>
  fromMessage(message, { grantId: session.grant.id, fields: 'standard', shown: (html) => html })

/** The messages that words find, with their envelopes; newest first, where Graph orders them by when they were sent. */
export async function hitsOf(listing: Listing, words: string): Promise<GraphMessage[]> {
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

/** Of messages that words found: whether they pass all filters but the words. */
function isHit({ mailbox, filters, keep }: Listing, message: GraphMessage): boolean {
  if (keep && !keep(message)) return false
  const { has_attachment: files, subject, ...others } = filters
  const shown = ours(mailbox, message)
  return (
    passes(shown, others) &&
    (subject === undefined || hasSubject(shown, subject)) &&
    (files === undefined || files === (message.hasAttachments ?? false))
  )
}

/** One page of messages that are all known. */
function pageOf(all: readonly GraphMessage[], { position, limit }: Listing): MessagePage {
  const rest = all.filter((message) => !isBefore(position, placeOf(message)))
  const messages = rest.slice(0, limit)
  const last = messages.map(placeOf).reduce<Position | undefined>(after, position)
  return { messages, ...(last && rest.length > limit ? { next: last } : {}) }
}

/** A folder or a search that Graph does not take is the client's mistake. */
export function refusedSearch(error: unknown, { folder, filters }: Pick<Listing, 'folder' | 'filters'>): unknown {
  if (folder !== undefined && isMissing(error)) return unknownFolder()
  const isRefused = providerStatus(error) === 400 && filters.search_query_native !== undefined
  return isRefused ? badSearch(error as ApiError) : error
}

const badSearch = ({ message }: ApiError): ApiError =>
  invalidField(
    'search_query_native',
    `Microsoft does not take this search: ${message.replace(/^Microsoft refused: /, '')}`,
  )
