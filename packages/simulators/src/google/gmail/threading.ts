// Threads: a message joins the thread of a message it references if their subjects are equal without prefixes. A
// message without references joins the requested thread if a message there has the same subject. The guide says
// otherwise, but real mailboxes of senders show it (googleapis/google-api-nodejs-client#710 and #1938).
// https://developers.google.com/workspace/gmail/api/guides/threads

import { headerValue, type MimePart } from '../../shared/mail/mime.ts'
import { baseSubject, referencesOf } from '../../shared/mail/references.ts'
import { notFound } from '../errors.ts'
import type { StoredMessage } from './stored.ts'

/** The parts of the mailbox that threading needs. */
interface Threads {
  readonly threads: ReadonlyMap<string, Iterable<StoredMessage>>
  readonly byMessageId: ReadonlyMap<string, readonly StoredMessage[]>
}

/**
 * The thread that a message belongs to; undefined for a new one. A requested thread must exist, and the message must
 * meet the same conditions to join it.
 */
export function chooseThread(mailbox: Threads, mime: MimePart, wanted: string | undefined): string | undefined {
  if (wanted !== undefined && !mailbox.threads.has(wanted)) throw notFound()
  const subject = subjectOf(mime)
  const references = referencesOf(mime)
  const requested = wanted === undefined ? [] : (mailbox.threads.get(wanted) ?? [])
  const referred =
    references.length === 0 ? [...requested] : references.flatMap((id) => mailbox.byMessageId.get(id) ?? [])
  const fits = ({ threadId, mime: other }: StoredMessage) =>
    (wanted === undefined || threadId === wanted) && subjectOf(other) === subject
  return referred.find(fits)?.threadId
}

function subjectOf(mime: MimePart): string {
  return baseSubject(headerValue(mime, 'subject') ?? '')
}
