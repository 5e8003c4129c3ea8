/** The filters of the API as Gmail's search: what its words find is a little more than what is asked for, never less. */
import type { DraftListQuery, Message, MessageListQuery, ThreadListQuery } from '@waypost/contract'
import { invalidField } from '../../../../lib/api-error.ts'
import { hasSubject, hasWords, wordsOf } from '../../../mail/filters.ts'

export type Filters = Partial<
  Omit<MessageListQuery & ThreadListQuery & DraftListQuery, 'metadata_pair' | 'limit' | 'page_token'>
>

export interface Search {
  q?: string
  labelIds?: readonly string[]
  /** Lists show all folders: Gmail leaves these two out unless it is asked for them. */
  includeSpamTrash: true
}

/** A text without what would end it within quotes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a search is one line
const oneLine = (text: string): string => text.replaceAll(/["\\\0-\x1f\x7f]+/g, ' ').trim()

/** A text as one word of a search. */
const quoted = (text: string): string => {
  const line = oneLine(text)
  return /^[\p{L}\p{N}._+@-]+$/u.test(line) ? line : `"${line}"`
}

const anyOf = (terms: readonly string[]): string[] =>
  terms.length === 0 ? [] : [terms.length === 1 ? terms.join('') : `(${terms.join(' OR ')})`]

const addressed = (fields: readonly string[], addresses: readonly string[] | undefined): string[] =>
  anyOf((addresses ?? []).flatMap((address) => fields.map((field) => `${field}:${quoted(address)}`)))

/** What may stand beside a search in Gmail's own words. */
const besideNative = new Set([
  'search_query_native',
  'in',
  'fields',
  'select',
  'query_imap',
  'shared_from',
  'shared_folder_id',
])

/** Gmail's own search stands alone with the folder. */
function refuseBesideNative(filters: Filters): void {
  if (filters.search_query_native === undefined) return
  for (const [name, value] of Object.entries(filters)) {
    if (value === undefined || besideNative.has(name)) continue
    throw invalidField('search_query_native', `cannot be combined with ${name}: write it into the search itself`)
  }
}

/** The search for what a query asks. */
export function searchOf(filters: Filters): Search {
  refuseBesideNative(filters)
  const { subject, received_after: after, received_before: before } = filters
  const terms = [
    ...(subject === undefined ? [] : [`subject:${quoted(subject)}`]),
    ...addressed(['from'], filters.from),
    ...addressed(['to'], filters.to),
    ...addressed(['cc'], filters.cc),
    ...addressed(['bcc'], filters.bcc),
    ...addressed(['from', 'to', 'cc', 'bcc'], filters.any_email),
    ...(filters.unread === false ? ['-is:unread'] : []),
    ...(filters.starred === false ? ['-is:starred'] : []),
    // Pictures within the text may count as attachments to Gmail, so their lack is looked for here.
    ...(filters.has_attachment === true ? ['has:attachment'] : []),
    ...(after === undefined ? [] : [`after:${after}`]),
    ...(before === undefined ? [] : [`before:${before}`]),
    ...(filters.latest_message_after === undefined ? [] : [`after:${filters.latest_message_after}`]),
    ...wordsOf(filters.q ?? '').map((words) => `"${oneLine(words)}"`),
    ...(filters.search_query_native === undefined ? [] : [native(filters.search_query_native)]),
  ]
  const labels = [
    ...(filters.in === undefined ? [] : [filters.in]),
    ...(filters.unread === true ? ['UNREAD'] : []),
    ...(filters.starred === true ? ['STARRED'] : []),
  ]
  return {
    ...(terms.length > 0 ? { q: terms.join(' ') } : {}),
    ...(labels.length > 0 ? { labelIds: [...new Set(labels)] } : {}),
    includeSpamTrash: true,
  }
}

function native(search: string): string {
  if (/[\r\n\0]/.test(search)) throw invalidField('search_query_native', 'must be one line')
  return search.trim()
}

/** What of a message the filters look at. */
export type Depth = 'labels' | 'headers' | 'content'

export function depthOf({ from, to, cc, bcc, any_email, has_attachment }: Filters): Depth {
  if (has_attachment !== undefined) return 'content'
  return [from, to, cc, bcc, any_email].some((addresses) => addresses && addresses.length > 0) ? 'headers' : 'labels'
}

/** The filters that Gmail's search answers by itself, for messages that it was not asked to search. */
export const passesSearch = (message: Message, { subject, q, in: folder }: Filters): boolean =>
  (subject === undefined || hasSubject(message, subject)) &&
  (q === undefined || hasWords(message, q)) &&
  (folder === undefined || message.folders?.includes(folder) === true)
