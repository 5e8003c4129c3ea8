import type { Address } from '../../../../formats/mime/mime.ts'
import type { Outline } from '../../../mail/outline.ts'
import { deleteField, type ItemUpdate, setField } from '../../types/changes.ts'
import type { MessageItem } from '../../types/message.ts'
import { type FieldUri, field } from '../../types/paths.ts'

/** Whether a message answers another one. */
export const isReply = ({ InReplyTo, References }: MessageItem): boolean => Boolean(InReplyTo || References)

const mailboxes = (people: readonly Address[]) =>
  people.map(({ name, email }) => ({ ...(name ? { Name: name } : {}), EmailAddress: email, RoutingType: 'SMTP' }))

type People = 'ToRecipients' | 'CcRecipients' | 'BccRecipients' | 'ReplyTo'

const nameOf = (name: string | undefined, address: string): string => (name || address).toLowerCase()

/** Whether the same people stand in a list, in the same order. */
function isSame(known: MessageItem[People], people: readonly Address[]): boolean {
  const before = (known ?? []).map(({ Name, EmailAddress = '' }) => [
    nameOf(Name, EmailAddress),
    EmailAddress.toLowerCase(),
  ])
  const after = people.map(({ name, email }) => [nameOf(name, email), email.toLowerCase()])
  return JSON.stringify(before) === JSON.stringify(after)
}

/** A list of people that changes; one without anybody cannot be written, and is taken away. */
function peopleField(name: People, people: readonly Address[], known: MessageItem): ItemUpdate[] {
  if (isSame(known[name], people)) return []
  const at = field(`message:${name}` satisfies FieldUri)
  return [people.length > 0 ? setField(at, { kind: 'Message', [name]: mailboxes(people) }) : deleteField(at)]
}

/** Whom a draft is to go to, as far as that changes. */
export const peopleOf = (outline: Outline, known: MessageItem): ItemUpdate[] => [
  ...peopleField('ToRecipients', outline.to, known),
  ...peopleField('CcRecipients', outline.cc, known),
  ...peopleField('BccRecipients', outline.bcc, known),
]

/** What a draft is to say beside, as Exchange changes it. */
export function contentOf(outline: Outline, known: MessageItem): ItemUpdate[] {
  const [from] = outline.from
  const own = known.From?.Mailbox?.EmailAddress?.toLowerCase()
  const body = { BodyType: outline.isHtml ? ('HTML' as const) : ('Text' as const), value: outline.body }
  const [writer] = from && from.email.toLowerCase() !== own ? mailboxes([from]) : []
  return [
    setField(field('item:Subject'), { kind: 'Message', Subject: outline.subject }),
    setField(field('item:Body'), { kind: 'Message', Body: body }),
    ...peopleField('ReplyTo', outline.reply_to, known),
    ...(writer ? [setField(field('message:From'), { kind: 'Message', From: { Mailbox: writer } })] : []),
  ]
}
