import type { Address } from '../../../../formats/mime.ts'
import type { Outline } from '../../../mail/outline.ts'
import { deleteField, type ItemUpdate, setField } from '../../types/changes.ts'
import type { MessageItem } from '../../types/message.ts'
import { type FieldUri, field } from '../../types/paths.ts'

/** Whether a message answers another one. */
export const isReply = ({ InReplyTo, References }: MessageItem): boolean => Boolean(InReplyTo || References)

const mailboxes = (people: readonly Address[]) =>
  people.map(({ name, email }) => ({ ...(name ? { Name: name } : {}), EmailAddress: email, RoutingType: 'SMTP' }))

type People = 'ToRecipients' | 'CcRecipients' | 'BccRecipients' | 'ReplyTo'

/** A list of people; one without anybody cannot be written, and is taken away where there was somebody. */
function peopleField(name: People, people: readonly Address[], known: MessageItem): ItemUpdate[] {
  const at = field(`message:${name}` satisfies FieldUri)
  if (people.length > 0) return [setField(at, { kind: 'Message', [name]: mailboxes(people) })]
  return known[name]?.length ? [deleteField(at)] : []
}

/** What a draft is to say, as Exchange changes it. */
export function contentOf(outline: Outline, known: MessageItem): ItemUpdate[] {
  const [from] = outline.from
  const own = known.From?.Mailbox?.EmailAddress?.toLowerCase()
  const body = { BodyType: outline.isHtml ? ('HTML' as const) : ('Text' as const), value: outline.body }
  const [writer] = from && from.email.toLowerCase() !== own ? mailboxes([from]) : []
  return [
    setField(field('item:Subject'), { kind: 'Message', Subject: outline.subject }),
    setField(field('item:Body'), { kind: 'Message', Body: body }),
    ...peopleField('ToRecipients', outline.to, known),
    ...peopleField('CcRecipients', outline.cc, known),
    ...peopleField('BccRecipients', outline.bcc, known),
    ...peopleField('ReplyTo', outline.reply_to, known),
    ...(writer ? [setField(field('message:From'), { kind: 'Message', From: { Mailbox: writer } })] : []),
  ]
}
