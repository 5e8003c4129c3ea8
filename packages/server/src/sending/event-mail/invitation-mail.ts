/**
 * The parts of a mail with an iTIP object (RFC 6047), and the complete mail if an account sends it in its own name.
 */
import type { Invitation } from '@waypost/formats/itip/invitations'
import type { MailObject } from '@waypost/providers/operations'

/** A mail about an event. Some have no iTIP object, such as reminders. */
export type EventMail = Invitation | Omit<Invitation, 'method' | 'ics' | 'next'>

/** multipart/mixed { multipart/alternative { text, HTML, calendar }, attachment } (RFC 6047 §2.4). */
export function invitationParts(mail: EventMail) {
  const { html } = mail
  if (!('ics' in mail)) return { html }
  const { method, ics } = mail
  const content = Buffer.from(ics)
  return {
    html,
    alternatives: [
      { contentType: `text/calendar; method=${method}; charset=UTF-8`, contentTransferEncoding: 'base64', content },
    ],
    attachments: [{ filename: 'invite.ics', contentType: 'application/ics', content }],
  }
}

export interface InvitationSender {
  account: { email: string; name: string | null }
  /** Without angle brackets. */
  messageId: string
  date: Date
}

/** A mail about an event as a message of the account. */
export async function composeInvitation(
  mail: EventMail,
  { account, messageId, date }: InvitationSender,
): Promise<MailObject> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const composer = new MailComposer({
    from: { name: account.name ?? '', address: account.email },
    to: { name: '', address: mail.to },
    ...(mail.replyTo === undefined ? {} : { replyTo: { name: '', address: mail.replyTo } }),
    subject: mail.subject,
    text: mail.text,
    ...invitationParts(mail),
    messageId: `<${messageId}>`,
    date,
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return { messageId, from: account.email, recipients: [mail.to], source: await composer.compile().build() }
}
