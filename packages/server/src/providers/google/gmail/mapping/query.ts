/** The filters of the API as Gmail's search: what its words find is a little more than what is asked for, never less. */
import { wordsOf } from '../../../mail/filters.ts'
import { type Filters, nativeSearch, oneLine } from '../../../mail/search.ts'

export interface Search {
  q?: string
  labelIds?: readonly string[]
  /** Lists show all folders: Gmail leaves these two out unless it is asked for them. */
  includeSpamTrash: true
}

/** A text as one word of a search. */
const quoted = (text: string): string => {
  const line = oneLine(text)
  return /^[\p{L}\p{N}._+@-]+$/u.test(line) ? line : `"${line}"`
}

const anyOf = (terms: readonly string[]): string[] =>
  terms.length === 0 ? [] : [terms.length === 1 ? terms.join('') : `(${terms.join(' OR ')})`]

const addressed = (fields: readonly string[], addresses: readonly string[] | undefined): string[] =>
  anyOf((addresses ?? []).flatMap((address) => fields.map((field) => `${field}:${quoted(address)}`)))

/** The search for what a query asks. */
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
    // Pictures within the text may count as attachments to Gmail, so their lack is looked for here.
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
