/**
 * The mail to the owner of an account about an action that waits for approval. Pure. It names who asks, the kind of
 * action, the number of recipients and the subject. It contains neither the text of the message nor anything that
 * decides: an agent may be able to read it.
 */
import type { ApprovalKind } from '@waypost/contract'
import { oneLine } from '@waypost/formats/icalendar/icalendar'
import { escapeHtml, type MailText } from '@waypost/formats/itip/invitation-text'

export interface OwnerMail {
  /** The name of the agent or key. */
  requester: string
  application: string
  account: string
  kind: ApprovalKind
  recipients: number
  subject: string | undefined
  /** Milliseconds. */
  expiresAt: number
  link: string
}

const wishes: Readonly<Record<ApprovalKind, string>> = {
  send: 'send a message',
  delete: 'delete something permanently',
  invite: 'invite or notify other people',
}

/** One line of foreign text: without direction marks and links, and cut. Mail programs would make links of addresses. */
export function quoted(text: string, maxLength: number): string {
  const plain = oneLine(text)
    .replace(/[\p{Cf}\p{Co}\p{Cn}]/gu, '')
    .replace(/\b(?:[a-z][a-z\d+.-]{0,30}:\/\/|www\.)\S*/gi, '[link]')
  const letters = [...plain]
  return letters.length <= maxLength ? plain : `${letters.slice(0, maxLength - 1).join('')}…`
}

const timeOf = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"
const button =
  'display:inline-block;padding:10px 18px;border:1px solid #1a56db;border-radius:6px;color:#1a56db;text-decoration:none'

export function ownerMailText(mail: OwnerMail): MailText {
  const requester = quoted(mail.requester, 60)
  const application = quoted(mail.application, 60)
  const lead = `“${requester}” wants to ${wishes[mail.kind]} with your account at ${application}, and needs your approval.`
  const rows = [
    ['Asked by', requester],
    ['Account', mail.account],
    ['Recipients', mail.recipients === 0 ? '' : String(mail.recipients)],
    ['Subject', mail.subject === undefined ? '' : quoted(mail.subject, 120)],
    ['Decide until', timeOf(mail.expiresAt)],
  ].filter((row): row is [string, string] => row[1] !== '')
  const notes = [
    'If you do nothing, nothing happens.',
    `The page asks you to sign in to ${mail.account}. This link alone approves nothing.`,
  ]
  const cells = rows.map(
    ([label, value]) =>
      `<tr><th align="left" valign="top" style="padding:4px 16px 4px 0;color:#555;font-weight:normal">${escapeHtml(label)}</th><td style="padding:4px 0"><bdi>${escapeHtml(value)}</bdi></td></tr>`,
  )
  const link = `<p><a href="${escapeHtml(mail.link)}" style="${button}">Look at it and decide</a></p>`
  return {
    subject: `Approval needed: ${requester} wants to ${wishes[mail.kind]}`,
    text: [
      lead,
      '',
      ...rows.map(([label, value]) => `${label}: ${value}`),
      '',
      `Look at it and decide: ${mail.link}`,
      '',
      ...notes,
      '',
    ].join('\n'),
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"></head><body style="${font};font-size:15px;line-height:1.5;color:#222"><div style="max-width:600px"><p>${escapeHtml(lead)}</p><table style="border-collapse:collapse">${cells.join('')}</table>${link}<p style="color:#555">${notes.map(escapeHtml).join('<br>')}</p></div></body></html>`,
  }
}
