/** Messages and threads in results. Everything that a sender can write is untrusted. Pure. */
import { type EmailName, Message } from '@waypost/contract'
import { z } from 'zod'
import { Moment, momentOf } from '../content/moment.ts'
import { type Row, untrusted } from '../content/result-text.ts'

const { id, thread_id, unread, starred, folders, subject, from, to, snippet } = Message.shape

export const MessageRow = z.object({
  ...{ id, thread_id, unread, starred, folders },
  date: Moment.optional(),
  has_attachments: z.boolean().optional().meta({ description: 'Whether it has attachments' }),
  untrusted: untrusted({ subject, from, to, snippet }),
})

/** The fields of a message in a list. */
export const listedFields = 'id,thread_id,date,unread,starred,folders,subject,from,to,snippet,attachments'

/** Addresses that a list shows; the message has all. */
const fewPeople = (people: readonly EmailName[] | undefined): EmailName[] | undefined => people?.slice(0, 5)

export function messageRow(message: Partial<Message>, zone: string): Row {
  const { date, attachments } = message
  return {
    facts: {
      id: message.id,
      thread_id: message.thread_id,
      ...(date === undefined ? {} : { date: momentOf(date, zone) }),
      unread: message.unread,
      starred: message.starred,
      folders: message.folders?.slice(0, 20),
      ...(attachments ? { has_attachments: attachments.some((each) => !each.is_inline) } : {}),
    },
    untrusted: {
      from: fewPeople(message.from),
      to: fewPeople(message.to),
      subject: message.subject?.slice(0, 300),
      snippet: message.snippet,
    },
  }
}
