/**
 * Translates the filters of the API. Graph's `$filter` is exact and ordered but does not cover recipients and texts.
 * Its `$search` in the keyword query language (https://learn.microsoft.com/graph/search-query-parameter) covers both
 * but cannot be combined with a filter or an order. Conditions that the chosen one cannot express are checked here.
 */
import { invalidField } from '@waypost/platform/api-error'
import { isGiven, needsWords, searchTerms } from '../../../mail/exchange/mapping.ts'
import { type Filters, nativeSearch } from '../../../mail/search.ts'
import { quoted } from '../mail-api.ts'

/** The search for Graph: conditions joined with `and`, or words. */
export type Search = { terms: readonly string[]; isNative?: true } | { words: string }

const anyOf = (terms: readonly string[]): string[] =>
  terms.length === 0 ? [] : [terms.length === 1 ? terms.join('') : `(${terms.join(' or ')})`]

/** The conditions that `$filter` can express. Times are separate, because a list continues by them. */
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

/** A date for a search, with an offset in days: the search uses the mailbox's time zone, which is unknown. */
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

/** A search in Graph's own syntax, or a filter if it starts with `$filter=`. */
function nativeOf(native: string): Search {
  const [, option, rest = ''] = /^\$(\w+)=(.*)$/s.exec(native) ?? []
  if (/&\s*\$\w+=/.test(native)) {
    throw invalidField('search_query_native', 'must be one search or one $filter: Graph accepts nothing else with them')
  }
  if (option === undefined) return { words: native }
  if (option === 'filter') return { terms: [`(${rest.trim()})`], isNative: true }
  if (option === 'search') return { words: rest.trim().replace(/^"(.*)"$/s, '$1') }
  throw invalidField('search_query_native', `must be a search in KQL, or $filter=…: $${option} cannot be set here`)
}

/** The search for a query. A thread that the query names is read instead of searched. */
export function searchOf(filters: Filters): Search {
  const native = nativeSearch(filters)
  if (native !== undefined) return nativeOf(native)
  if (filters.thread_id === undefined && needsWords(filters)) return { words: keywordsOf(filters) }
  return { terms: termsOf(filters) }
}

/** Words in the form that `$search` accepts. */
export const searchText = (words: string): string => `"${words.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** The properties that are needed to check what a filter cannot express. */
export function checkedAt({ q, to, cc, bcc, any_email: any }: Filters): string[] {
  return [
    ...(q === undefined ? [] : ['subject', 'body', 'from', 'toRecipients', 'ccRecipients', 'bccRecipients']),
    ...(isGiven(to) ? ['toRecipients'] : []),
    ...(isGiven(cc) ? ['ccRecipients'] : []),
    ...(isGiven(bcc) ? ['bccRecipients'] : []),
    ...(isGiven(any) ? ['from', 'toRecipients', 'ccRecipients', 'bccRecipients'] : []),
  ]
}
