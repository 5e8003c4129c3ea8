import type { Address } from '@waypost/formats/mime/mime'
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

/** Whether a list contains the same people in the same order. */
function isSame(known: MessageItem[People], people: readonly Address[]): boolean {
  const before = (known ?? []).map(({ Name, EmailAddress = '' }) => [
    nameOf(Name, EmailAddress),
    EmailAddress.toLowerCase(),
  ])
  const after = people.map(({ name, email }) => [nameOf(name, email), email.toLowerCase()])
  return JSON.stringify(before) === JSON.stringify(after)
}

/** A changed list of people. An empty list cannot be written, so the field is removed. */
function peopleField(name: People, people: readonly Address[], known: MessageItem): ItemUpdate[] {
  if (isSame(known[name], people)) return []
  const at = field(`message:${name}` satisfies FieldUri)
  return [people.length > 0 ? setField(at, { kind: 'Message', [name]: mailboxes(people) }) : deleteField(at)]
}

/** The changed recipients of a draft. */
export const peopleOf = (outline: Outline, known: MessageItem): ItemUpdate[] => [
  ...peopleField('ToRecipients', outline.to, known),
  ...peopleField('CcRecipients', outline.cc, known),
  ...peopleField('BccRecipients', outline.bcc, known),
]

/** The other fields of a draft, in the form that Exchange changes them. */
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
