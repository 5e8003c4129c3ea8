/** Builds a thread from its messages. */
import type { EmailName, Message, Thread, ThreadListQuery } from '@waypost/contract'

export interface Member {
  message: Message
  /** Its draft id, if it is a draft. */
  draftId: string | undefined
}

/** A thread from its messages, newest first; at least one. */
export function threadFrom(
  id: string,
  { grant, isInSent }: { grant: { id: string; email: string }; isInSent(message: Message): boolean },
  members: readonly Member[],
): Thread | undefined {
  const [latest] = members
  if (!latest) return undefined
  const all = members.map(({ message }) => message)
  const messages = members.filter(({ draftId }) => draftId === undefined).map(({ message }) => message)
  const draftIds = members.flatMap(({ draftId }) => draftId ?? [])
  const own = grant.email.toLowerCase()
  const isSent = (message: Message): boolean =>
    isInSent(message) || (message.from ?? []).some(({ email }) => email.toLowerCase() === own)
  const received = messages.find((message) => !isSent(message))
  const sent = messages.find(isSent)
  return {
    id,
    grant_id: grant.id,
    object: 'thread',
    subject: all.at(-1)?.subject ?? '',
    snippet: (received ?? latest.message).snippet ?? '',
    latest_draft_or_message:
      latest.draftId === undefined
        ? { ...latest.message, object: 'message' }
        : { ...latest.message, id: latest.draftId, object: 'draft' },
    has_attachments: all.some(({ attachments = [] }) => attachments.length > 0),
    has_drafts: draftIds.length > 0,
    starred: all.some(({ starred }) => starred === true),
    unread: all.some(({ unread }) => unread === true),
    earliest_message_date: Math.min(...all.map(({ date = 0 }) => date)),
    ...(received?.date === undefined ? {} : { latest_message_received_date: received.date }),
    ...(sent?.date === undefined ? {} : { latest_message_sent_date: sent.date }),
    participants: peopleOf(all),
    message_ids: messages.map((message) => message.id),
    draft_ids: draftIds,
    folders: [...new Set(all.flatMap(({ folders = [] }) => folders))],
  }
}

/** Whether a thread passes the time filters. */
export function isWithinTimes(
  thread: Thread,
  { latest_message_after: after, latest_message_before: until, earliest_message_date: from }: Partial<ThreadListQuery>,
): boolean {
  const latest = thread.latest_draft_or_message.date ?? 0
  return (
    (after === undefined || latest > after) &&
    (until === undefined || latest < until) &&
    (from === undefined || thread.earliest_message_date >= from)
  )
}

function peopleOf(messages: readonly Message[]): EmailName[] {
  const people = new Map<string, EmailName>()
  for (const { from = [], to = [], cc = [] } of messages) {
    for (const person of [...from, ...to, ...cc]) {
      const key = person.email.toLowerCase()
      const known = people.get(key)
      if (!known || (known.name === undefined && person.name !== undefined)) people.set(key, person)
    }
  }
  return [...people.values()]
}
