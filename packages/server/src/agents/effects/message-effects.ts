/** The effects of sending a message. Pure. */
import type { ApprovalPreview } from '@waypost/contract'
import type { ReadableHtml } from '@waypost/formats/html/readable'
import { fileType } from '@waypost/formats/mime/file-type'
import { type Detail, detail, type EffectRecipient, type Effects, shownRecipients, visible } from './effects.ts'
import { addressesInHeaders } from './header-addresses.ts'

interface Person {
  email: string
  name?: string | null | undefined
}

export interface MessageFile {
  filename: string
  contentType: string
  size: number
  /** Its first bytes, where they are known. */
  head?: Uint8Array | undefined
}

export interface OutgoingText {
  body: string
  isHtml: boolean
  /** The text of the HTML, where it is one. */
  readable: ReadableHtml | undefined
}

export interface OutgoingFacts {
  from: readonly Person[]
  to?: readonly Person[] | undefined
  cc?: readonly Person[] | undefined
  bcc?: readonly Person[] | undefined
  reply_to?: readonly Person[] | undefined
  subject?: string | undefined
  text: OutgoingText
  signature?: { html: string; text: string } | undefined
  files: readonly MessageFile[]
  /** Further headers, by name and value. */
  headers?: readonly { name: string; value: string }[] | undefined
  /** Unix seconds. */
  sendAt?: number | undefined
  details?: readonly Detail[]
}

const people = (role: EffectRecipient['role'], list: readonly Person[] | undefined): EffectRecipient[] =>
  (list ?? []).map(({ email, name }) => ({ role, email, name: name ?? undefined }))

/** Addresses in further headers, such as those for receipts: mail programs may answer to them. */
export const addressedInHeaders = (headers: OutgoingFacts['headers'] = []): EffectRecipient[] =>
  addressesInHeaders(headers).map((email) => ({ role: 'header', email }))

/** What HTML has besides its text. */
function notesOf(readable: ReadableHtml | undefined): Detail[] {
  if (!readable) return []
  const { hidden, doubts, embeds, remoteHosts } = readable
  return [
    ...detail('Format', 'HTML. The text above has everything in it, also quoted and hidden parts and targets of links'),
    ...detail('Hidden parts', hidden.length > 0 ? `Readers do not see some of this text: ${hidden.join(', ')}` : ''),
    ...detail(
      'Doubtful parts',
      doubts.length > 0 ? `Readers may see less or something else: ${doubts.join(', ')}` : '',
    ),
    ...(embeds
      ? detail('Embedded content', 'The HTML has a drawing, form or object, which may show more than this text')
      : []),
    ...detail('Remote content', remoteHosts.length > 0 ? `Loaded from ${remoteHosts.join(', ')} when it is read` : ''),
  ]
}

const shownPerson = ({ email, name }: Person): string => (name ? `${name} <${email}>` : email)

/** The preview of a message. */
function previewOf(facts: OutgoingFacts, recipients: readonly EffectRecipient[]): ApprovalPreview {
  const { text, signature, files, headers = [], sendAt } = facts
  const shown = text.readable ? text.readable.text : text.body
  const types = files.map((file) => ({ file, ...fileType(file) }))
  const whole = signature ? `${shown}\n\n${signature.text}` : shown
  return {
    recipients: shownRecipients(recipients),
    subject: visible(facts.subject ?? ''),
    text: visible(whole),
    ...(text.readable ? { html: signature ? `${text.body}<br>${signature.html}` : text.body } : {}),
    attachments: types.map(({ file: { filename, size }, type }) => ({
      filename: visible(filename),
      content_type: visible(type),
      size,
    })),
    details: [
      ...detail('From', facts.from.map(shownPerson).join(', ')),
      ...detail('Send time', sendAt === undefined ? '' : `${new Date(sendAt * 1000).toISOString()} (UTC)`),
      ...notesOf(text.readable),
      ...types.flatMap(({ file, mismatch }) => detail('Doubtful file', mismatch && `${file.filename}: ${mismatch}`)),
      ...headers.flatMap(({ name, value }) => detail(`Header ${visible(name)}`, value)),
      ...(facts.details ?? []),
    ],
  }
}

export function messageEffects(facts: OutgoingFacts): Effects {
  const recipients = [
    ...people('to', facts.to),
    ...people('cc', facts.cc),
    ...people('bcc', facts.bcc),
    ...people('reply_to', facts.reply_to),
    ...addressedInHeaders(facts.headers),
  ]
  return {
    kinds: ['send'],
    recipients,
    senders: facts.from.map(({ email }) => email),
    preview: previewOf(facts, recipients),
    until: facts.sendAt === undefined ? undefined : facts.sendAt * 1000,
  }
}
