// The bounce that Exchange returns for an address unknown to its organization (RFC 3464).
import type { Recipient } from './content.ts'

export interface Bounce {
  readonly from: Recipient
  /** The sender of the message. */
  readonly to: string
  /** The name of the reporting server. */
  readonly server: string
  readonly messageId: string
  /** Milliseconds. */
  readonly at: number
  readonly failed: {
    readonly subject: string
    readonly internetMessageId: string | undefined
    readonly address: string
  }
}

export function bounceMime({ from, to, server, messageId, at, failed }: Bounce): Uint8Array {
  const { subject, internetMessageId, address } = failed
  const lines = [
    `From: "${from.name}" <${from.address}>`,
    `To: ${to}`,
    `Subject: Undeliverable: ${subject.replace(/[^\x20-\x7e]/g, '?')}`,
    `Date: ${new Date(at).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: ${messageId}`,
    `In-Reply-To: ${internetMessageId}`,
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="report"',
    '',
    '--report',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    `Your message to ${address} couldn't be delivered. ${address} wasn't found.`,
    '--report',
    'Content-Type: message/delivery-status',
    '',
    `Reporting-MTA: dns;${server}`,
    '',
    `Final-Recipient: rfc822;${address}`,
    'Action: failed',
    'Status: 5.1.10',
    'Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
    '',
    '--report--',
    '',
  ]
  return Buffer.from(lines.join('\r\n'))
}
