/** Checks messages against the filters of a query: servers match parts of words, or whole days. */
import type { DraftListQuery, EmailName, Message, MessageListQuery, ThreadListQuery } from '@waypost/contract'

type Query = Partial<Omit<MessageListQuery & ThreadListQuery & DraftListQuery, 'metadata_pair'>>

const has = (people: readonly EmailName[] | undefined, addresses: readonly string[]): boolean =>
  (people ?? []).some(({ email }) => addresses.some((address) => address.trim().toLowerCase() === email.toLowerCase()))

export function passes(message: Message, query: Query): boolean {
  const { from, to, cc, bcc, any_email: any, received_after: after, received_before: until } = query
  const date = message.date ?? 0
  const { attachments = [] } = message
  return (
    (!from?.length || has(message.from, from)) &&
    (!to?.length || has(message.to, to)) &&
    (!cc?.length || has(message.cc, cc)) &&
    (!bcc?.length || has(message.bcc, bcc)) &&
    (!any?.length || [message.from, message.to, message.cc, message.bcc].some((people) => has(people, any))) &&
    (query.unread === undefined || query.unread === message.unread) &&
    (query.starred === undefined || query.starred === message.starred) &&
    (after === undefined || date > after) &&
    (until === undefined || date < until) &&
    (query.has_attachment === undefined || query.has_attachment === attachments.some(isAttached))
  )
}

/** The words and phrases of a search; parts without letters and digits are left out. */
export const wordsOf = (q: string): string[] =>
  [...q.matchAll(/"([^"]*)"|([^\s"]+)/g)]
    .map(([, phrase, word]) => (phrase ?? word ?? '').trim())
    .filter((each) => /[\p{L}\p{N}]/u.test(each))

const plain = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, ' ')

/** Whether a message contains the words of a search, if no server searched for them. */
export function hasWords(message: Message, q: string): boolean {
  const { subject = '', body = '', from = [], to = [], cc = [], bcc = [] } = message
  const people = [from, to, cc, bcc].flat().map(({ name = '', email }) => `${name} ${email}`)
  const text = plain([subject, ...people, body.replaceAll(/<[^<>]*>/g, ' ')].join('\n'))
  return wordsOf(q).every((word) => text.includes(plain(word)))
}

/** Whether the subject contains a text, ignoring case. */
export const hasSubject = (message: Message, subject: string): boolean =>
  plain(message.subject ?? '').includes(plain(subject))

/** An inline image does not count as an attachment. */
const isAttached = ({ is_inline, content_id }: NonNullable<Message['attachments']>[number]): boolean =>
  !(is_inline && content_id !== undefined)
