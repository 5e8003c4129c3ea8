/**
 * Arguments of searches that could only find nothing. Models pass names where addresses are compared, and operators of mail
 * programs where words are searched. An empty list would then say that nothing exists, so the tool says what it needs. Pure.
 */
import { neutralLine } from '../content/neutralize.ts'
import { secondsOf } from './parts.ts'

const shown = (value: string): string => `"${neutralLine(value).slice(0, 60)}"`

/** The problem with a filter that compares whole addresses. */
export function addressProblem(
  name: string,
  values: string | readonly string[] | undefined,
  instead: string,
): string | undefined {
  const wrong = [values ?? []].flat().find((value) => !/^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(value.trim()))
  if (wrong === undefined) return undefined
  return `${name}: ${shown(wrong)} is not a full address such as grace@example.com. ${instead}`
}

/** `name:` at the begin of a word, as Gmail, Outlook and IMAP have it. */
const operators = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?:from|to|cc|bcc|subject):|(?:${[
    ...['in', 'is', 'has', 'label', 'after', 'before', 'older', 'newer', 'older_than', 'newer_than', 'filename', 'on'],
    ...['category', 'larger', 'smaller', 'size', 'deliveredto', 'list', 'rfc822msgid', 'body', 'kind', 'received'],
    ...[
      'sent',
      'date',
      'since',
      'attachment',
      'attachments',
      'hasattachment',
      'hasattachments',
      'importance',
      'folder',
    ],
    ...['participants', 'recipients', 'sender', 'text', 'unread', 'starred', 'flagged', 'with'],
  ].join('|')}):\S)`,
  'iu',
)
/** Words between words, a minus before one, and a star in one. A text in capitals only has no operators. */
const combining = /\s(?:OR|AND|NOT)\s|^NOT\s|(?:^|\s)-\p{L}|\p{L}\*|[{}]|\s\|\s/u

/** The problem with words to search for. */
export function wordsProblem(q: string | undefined): string | undefined {
  if (q === undefined) return undefined
  const words = q.replaceAll(/"[^"]*"/g, ' ')
  const found = operators.exec(words)?.[0] ?? (words === words.toUpperCase() ? null : combining.exec(words)?.[0])
  if (!found) return undefined
  return `q: ${shown(found.trim())} is an operator, and q has only words, all of which must match. Use from, to, subject, in, unread, has_attachment and the times of this tool instead, or "quotes" to find the text itself`
}

/** The problem with a window that ends before it begins. */
export function windowProblem(
  [start, from]: readonly [name: string, time: WindowTime],
  [end, to]: readonly [name: string, time: WindowTime],
): string | undefined {
  if (from === undefined || to === undefined || secondsOf(from) < secondsOf(to)) return undefined
  return `${end}: must be later than ${start}`
}
type WindowTime = Parameters<typeof secondsOf>[0] | undefined

interface MailSearch {
  q?: string | undefined
  from?: readonly string[] | undefined
  to?: readonly string[] | undefined
  any_email?: readonly string[] | undefined
}

/** The problem with a search for messages or threads. */
export function mailSearchProblem(search: MailSearch): string | undefined {
  const instead = 'To search a name, pass it as q, which searches names, addresses and texts'
  const { q, from, to, any_email } = search
  return (
    addressProblem('from', from, instead) ??
    addressProblem('to', to, instead) ??
    addressProblem('any_email', any_email, instead) ??
    wordsProblem(q)
  )
}
