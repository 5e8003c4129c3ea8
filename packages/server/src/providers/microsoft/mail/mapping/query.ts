/**
 * The filters of the API as Graph's: `$filter`, which is exact, keeps an order and knows nothing of recipients and texts, or
 * `$search` in the keyword query language (https://learn.microsoft.com/graph/search-query-parameter), which knows both and
 * takes neither a filter nor an order beside it. What the one that is chosen cannot say is looked at here.
 */
import { invalidField } from '../../../../lib/api-error.ts'
import { isGiven, needsWords, searchTerms } from '../../../mail/exchange/mapping.ts'
import { type Filters, nativeSearch } from '../../../mail/search.ts'
import { quoted } from '../mail-api.ts'

/** What Graph is asked to look for: conditions that hold together, or words. */
export type Search = { terms: readonly string[]; isNative?: true } | { words: string }

const anyOf = (terms: readonly string[]): string[] =>
  terms.length === 0 ? [] : [terms.length === 1 ? terms.join('') : `(${terms.join(' or ')})`]

/** The conditions that `$filter` can say; times are apart, because lists go on by them. */
export function termsOf(filters: Filters): string[] {
  const { thread_id: thread, subject, from = [], unread, starred, has_attachment: files } = filters
  return [
    ...(thread === undefined ? [] : [`conversationId eq ${quoted(thread)}`]),
    ...(subject === undefined ? [] : [`contains(subject,${quoted(subject)})`]),
    ...anyOf(from.map((address) => `from/emailAddress/address eq ${quoted(address.trim())}`)),
    ...(unread === undefined ? [] : [`isRead eq ${!unread}`]),
    ...(starred === undefined ? [] : [`flag/flagStatus ${starred ? 'eq' : 'ne'} 'flagged'`]),
    ...(files === undefined ? [] : [`hasAttachments eq ${files}`]),
  ]
}

/** A day of a search, and days beside it: the search goes by the days of the mailbox, whose time zone is not known. */
const day = (seconds: number, offset: number): string =>
  new Date((seconds + offset * 86_400) * 1000).toISOString().slice(0, 10)

function keywordsOf(filters: Filters): string {
  const { received_after: after, received_before: before, latest_message_after: latest } = filters
  const from = after ?? latest
  return [
    ...searchTerms(filters),
    ...(from === undefined ? [] : [`received>=${day(from, -1)}`]),
    ...(before === undefined ? [] : [`received<=${day(before, 1)}`]),
  ].join(' AND ')
}

/** What a client wrote in Graph's own words: a search, or a filter where it says so. */
function nativeOf(native: string): Search {
  const [, option, rest = ''] = /^\$(\w+)=(.*)$/s.exec(native) ?? []
  if (/&\s*\$\w+=/.test(native)) {
    throw invalidField('search_query_native', 'must be one search or one $filter: Graph takes nothing beside them')
  }
  if (option === undefined) return { words: native }
  if (option === 'filter') return { terms: [`(${rest.trim()})`], isNative: true }
  if (option === 'search') return { words: rest.trim().replace(/^"(.*)"$/s, '$1') }
  throw invalidField('search_query_native', `must be a search in KQL, or $filter=…: $${option} cannot be set here`)
}

/** The search for what a query asks. In a thread that is named nothing is searched for: it is read. */
export function searchOf(filters: Filters): Search {
  const native = nativeSearch(filters)
  if (native !== undefined) return nativeOf(native)
  if (filters.thread_id === undefined && needsWords(filters)) return { words: keywordsOf(filters) }
  return { terms: termsOf(filters) }
}

/** Words as `$search` takes them. */
export const searchText = (words: string): string => `"${words.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** The properties that must be there to look at what a filter could not say. */
export function lookedAt({ q, to, cc, bcc, any_email: any }: Filters): string[] {
  return [
    ...(q === undefined ? [] : ['subject', 'body', 'from', 'toRecipients', 'ccRecipients', 'bccRecipients']),
    ...(isGiven(to) ? ['toRecipients'] : []),
    ...(isGiven(cc) ? ['ccRecipients'] : []),
    ...(isGiven(bcc) ? ['bccRecipients'] : []),
    ...(isGiven(any) ? ['from', 'toRecipients', 'ccRecipients', 'bccRecipients'] : []),
  ]
}
