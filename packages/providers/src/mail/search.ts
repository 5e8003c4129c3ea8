/** Shared parts of translating mail filters into a provider's own search. */
import type { DraftListQuery, Message, MessageListQuery, ThreadListQuery } from '@waypost/contract'
import { invalidField } from '@waypost/platform/api-error'
import { hasSubject, hasWords } from './filters.ts'

export type Filters = Partial<
  Omit<MessageListQuery & ThreadListQuery & DraftListQuery, 'metadata_pair' | 'limit' | 'page_token'>
>

/** Removes characters that would end a quoted text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a search is one line
export const oneLine = (text: string): string => text.replaceAll(/["\\\0-\x1f\x7f]+/g, ' ').trim()

/** Parameters that may be combined with a native search. */
const besideNative = new Set([
  'search_query_native',
  'in',
  'fields',
  'select',
  'query_imap',
  'shared_from',
  'shared_folder_id',
])

/** The native search of a query, which can only be combined with a folder; undefined if there is none. */
export function nativeSearch(filters: Filters): string | undefined {
  const search = filters.search_query_native
  if (search === undefined) return undefined
  for (const [name, value] of Object.entries(filters)) {
    if (value === undefined || besideNative.has(name)) continue
    throw invalidField('search_query_native', `cannot be combined with ${name}: put that into the search itself`)
  }
  if (/[\r\n\0]/.test(search)) throw invalidField('search_query_native', 'must be one line')
  return search.trim()
}

/** The fields of a message that filters use. */
export type Depth = 'labels' | 'headers' | 'content'

export function depthOf({ from, to, cc, bcc, any_email, has_attachment }: Filters): Depth {
  if (has_attachment !== undefined) return 'content'
  return [from, to, cc, bcc, any_email].some((addresses) => addresses && addresses.length > 0) ? 'headers' : 'labels'
}

/** Applies the filters of a provider's search to messages that were not searched for. */
export const passesSearch = (message: Message, { subject, q, in: folder }: Filters): boolean =>
  (subject === undefined || hasSubject(message, subject)) &&
  (q === undefined || hasWords(message, q)) &&
  (folder === undefined || message.folders?.includes(folder) === true)
