/**
 * Translates the filters of the API. Restrictions are exact but do not cover recipients and texts. A query string in
 * Advanced Query Syntax
 * (https://learn.microsoft.com/exchange/client-developer/exchange-web-services/how-to-perform-an-aqs-search-by-using-ews-in-exchange)
 * covers both but cannot be combined with a restriction. Conditions that the chosen one cannot express are checked
 * here.
 */
import type { Message } from '@waypost/contract'
import { invalidField } from '@waypost/platform/api-error'
import { isGiven, needsWords, searchTerms, timeText } from '../../../mail/exchange/mapping.ts'
import { hasSubject, hasWords, passes } from '../../../mail/filters.ts'
import type { Position } from '../../../mail/position.ts'
import type { Filters } from '../../../mail/search.ts'
import type { MessageItem } from '../../types/message.ts'
import { field, property } from '../../types/paths.ts'
import { anyOf, compare, containing, equals, not, type Restriction } from '../../types/restriction.ts'
import { isStarred } from './message.ts'
import { receivedOf } from './names.ts'
import { flagged, flagStatus, senderAddress, senderSmtpAddress } from './properties.ts'
import type { WantedField } from './wanted.ts'

/** The search for Exchange. */
export interface Search {
  /** Conditions joined with And; none with a query. */
  terms: readonly Restriction[]
  query?: string
  /** The fields that are needed to check conditions that Exchange did not apply, or applies to parts of words. */
  checkedAt: readonly WantedField[]
}

export const received = field('item:DateTimeReceived')

/** The conditions that a restriction can express. Times are separate, because a list continues by them. */
function termsOf({ subject, from = [], unread, starred, has_attachment: files }: Filters): Restriction[] {
  const isStarredTerm = equals(property(flagStatus), `${flagged}`)
  const writers = anyOf(
    from.flatMap((address) =>
      [senderSmtpAddress, senderAddress].map((uri) => containing(property(uri), address.trim(), 'FullString')),
    ),
  )
  return [
    ...(subject === undefined ? [] : [containing(field('item:Subject'), subject)]),
    ...(writers ? [writers] : []),
    ...(unread === undefined ? [] : [equals(field('message:IsRead'), `${!unread}`)]),
    ...(starred === undefined ? [] : [starred ? isStarredTerm : not(isStarredTerm)]),
    ...(files === undefined ? [] : [equals(field('item:HasAttachments'), `${files}`)]),
  ]
}

/** The exclusive bounds of times, and the position of a list. */
export function timesOf(filters: Filters, position: Position | undefined): Restriction[] {
  const from = Math.max(filters.received_after ?? -1, filters.latest_message_after ?? -1)
  const bounds = [
    filters.received_before,
    filters.latest_message_before,
    position?.date ? position.date + 1 : undefined,
  ]
  const until = Math.min(...bounds.flatMap((each) => each ?? []))
  return [
    // Messages received within the second itself are also returned, and left out here.
    ...(from < 0 ? [] : [compare('IsGreaterThan', received, timeText(from))]),
    ...(Number.isFinite(until) ? [compare('IsLessThan', received, timeText(until))] : []),
  ]
}

/**
 * A search in Exchange's own syntax. All filters can be combined with it except the thread, which is not searched.
 */
function nativeOf(filters: Filters): string | undefined {
  const native = filters.search_query_native
  if (native === undefined) return undefined
  if (filters.thread_id !== undefined) throw invalidField('search_query_native', 'cannot be combined with thread_id')
  if (/[\r\n\0]/.test(native) || native.trim() === '') throw invalidField('search_query_native', 'must be one line')
  return native.trim()
}

/** The search for filters. A scanned list does not use the index, which contains new messages only after a delay. */
export function searchOf(filters: Filters, { isScanned = false, hasSmtpAddresses = true } = {}): Search {
  const native = nativeOf(filters)
  const writersNeedWords = isGiven(filters.from) && !hasSmtpAddresses
  if (native === undefined && (isScanned || !(needsWords(filters) || writersNeedWords))) {
    return { terms: termsOf({ ...filters, from: hasSmtpAddresses ? filters.from : [] }), checkedAt: checkedAt(filters) }
  }
  const beside = [...checkedAt(filters), ...(filters.subject === undefined ? [] : (['subject'] as const))]
  return { terms: [], query: native ?? searchTerms(filters).join(' AND '), checkedAt: beside }
}

/** The fields that are needed to check what a restriction cannot express. */
function checkedAt({ q, from, to, cc, bcc, any_email: any }: Filters): WantedField[] {
  return [
    ...(q === undefined ? [] : (['subject', 'body', 'from', 'to', 'cc', 'bcc'] as const)),
    ...(isGiven(from) ? (['from'] as const) : []),
    ...(isGiven(to) ? (['to'] as const) : []),
    ...(isGiven(cc) ? (['cc'] as const) : []),
    ...(isGiven(bcc) ? (['bcc'] as const) : []),
    ...(isGiven(any) ? (['from', 'to', 'cc', 'bcc'] as const) : []),
  ]
}

/** Whether a message passes the filters on fields that every list returns. */
export function passesRow(item: MessageItem, filters: Filters): boolean {
  const { unread, starred, has_attachment: files } = filters
  const date = receivedOf(item)
  const from = Math.max(filters.received_after ?? -1, filters.latest_message_after ?? -1)
  const until = Math.min(filters.received_before ?? Infinity, filters.latest_message_before ?? Infinity)
  return (
    (unread === undefined || unread === (item.IsRead === false)) &&
    (starred === undefined || starred === isStarred(item)) &&
    (files === undefined || files === (item.HasAttachments ?? false)) &&
    date > from &&
    date < until
  )
}

/** Whether a message passes the filters on people and texts. */
export function passesWhole(shown: Message, { q, subject, from, to, cc, bcc, any_email }: Filters): boolean {
  return (
    passes(shown, { from, to, cc, bcc, any_email }) &&
    (subject === undefined || hasSubject(shown, subject)) &&
    (q === undefined || hasWords(shown, q))
  )
}
