// Conversations: a message joins the thread of one it refers to, if their subjects are the same but for prefixes. One that
// refers to nothing joins the thread that is asked for, if a message there has its subject: the guide says otherwise, and
// mailboxes of senders show it (googleapis/google-api-nodejs-client#710 and #1938).
// https://developers.google.com/workspace/gmail/api/guides/threads

import { headerValue, type MimePart } from '../../shared/mail/mime.ts'
import { baseSubject, referencesOf } from '../../shared/mail/references.ts'
import { notFound } from '../errors.ts'
import type { StoredMessage } from './stored.ts'

/** What is asked of the mailbox. */
interface Threads {
  readonly threads: ReadonlyMap<string, Iterable<StoredMessage>>
  readonly byMessageId: ReadonlyMap<string, readonly StoredMessage[]>
}

/**
 * The thread a message belongs to, undefined for a new one. A thread asked for must exist, and the message joins it under
 * the same conditions as any other.
 */
export function chooseThread(mailbox: Threads, mime: MimePart, wanted: string | undefined): string | undefined {
  if (wanted !== undefined && !mailbox.threads.has(wanted)) throw notFound()
  const subject = subjectOf(mime)
  const references = referencesOf(mime)
  const asked = wanted === undefined ? [] : (mailbox.threads.get(wanted) ?? [])
  const referred = references.length === 0 ? [...asked] : references.flatMap((id) => mailbox.byMessageId.get(id) ?? [])
  const fits = ({ threadId, mime: other }: StoredMessage) =>
    (wanted === undefined || threadId === wanted) && subjectOf(other) === subject
  return referred.find(fits)?.threadId
}

function subjectOf(mime: MimePart): string {
  return baseSubject(headerValue(mime, 'subject') ?? '')
}
