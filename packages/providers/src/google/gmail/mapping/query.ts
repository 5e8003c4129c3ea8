/**
 * Translates the filters of the API to Gmail's search. The search may find a little more than the filters, never
 * less.
 */
import { wordsOf } from '../../../mail/filters.ts'
import { type Filters, nativeSearch, oneLine } from '../../../mail/search.ts'

export interface Search {
  q?: string
  labelIds?: readonly string[]
  /** Lists cover all folders; without this, Gmail leaves out spam and trash. */
  includeSpamTrash: true
}

/** A text as one term of a search. */
const quoted = (text: string): string => {
  const line = oneLine(text)
  return /^[\p{L}\p{N}._+@-]+$/u.test(line) ? line : `"${line}"`
}

const anyOf = (terms: readonly string[]): string[] =>
  terms.length === 0 ? [] : [terms.length === 1 ? terms.join('') : `(${terms.join(' OR ')})`]

const addressed = (fields: readonly string[], addresses: readonly string[] | undefined): string[] =>
  anyOf((addresses ?? []).flatMap((address) => fields.map((field) => `${field}:${quoted(address)}`)))

export function searchOf(filters: Filters): Search {
  const native = nativeSearch(filters)
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
    // Gmail may count inline pictures as attachments, so `false` is checked here.
    ...(filters.has_attachment === true ? ['has:attachment'] : []),
    ...(after === undefined ? [] : [`after:${after}`]),
    ...(before === undefined ? [] : [`before:${before}`]),
    ...(filters.latest_message_after === undefined ? [] : [`after:${filters.latest_message_after}`]),
    ...wordsOf(filters.q ?? '').map((words) => `"${oneLine(words)}"`),
    ...(native === undefined ? [] : [native]),
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
