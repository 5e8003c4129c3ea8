// Read receipts: sent when a message that requests one is first marked as read, unless the client suppresses it.
import type { EwsCall, World } from '../model.ts'
import type { Account } from '../owner.ts'
import { isTrue } from '../xml/read.ts'
import type { MailItem } from './content.ts'
import { deliverItem, mailDate, newMessageId, receivedMail } from './delivery.ts'
import { messageTypeOf } from './mail-items.ts'

/** Called after a client has marked a message as read or unread. */
export function markedRead(call: EwsCall, item: MailItem): void {
  const { text, isDraft } = item.content
  if (!item.isRead || isDraft || !text.wantsReadReceipt) return
  // Sent at most once, and never after it was suppressed.
  item.content.text = { ...text, wantsReadReceipt: false }
  const reader = call.world.findAccountById(item.mailbox.id)
  if (isSuppressed(call) || reader === undefined) return
  sendReceipt(call.world, reader, item)
}

/** Some requests have an attribute for this, others an element. */
function isSuppressed({ request }: EwsCall): boolean {
  const { SuppressReadReceipts: written = '' } = request.attributes
  return ['true', '1'].includes(written) || isTrue(request, 'SuppressReadReceipts')
}

function sendReceipt(world: World, reader: Account, { content: { text } }: MailItem): void {
  const sender = world.findAccount(text.from?.address ?? '')
  if (sender === undefined) return
  const lines = [
    `From: "${reader.name}" <${reader.email}>`,
    `To: ${sender.email}`,
    `Subject: Read: ${text.subject.replace(/[^\x20-\x7e]/g, '?')}`,
    `Date: ${mailDate(world.now())}`,
    `Message-ID: ${newMessageId(reader)}`,
    `In-Reply-To: ${text.internetMessageId ?? ''}`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=disposition-notification; boundary="receipt"',
    '',
    '--receipt',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    `Your message was read on ${mailDate(world.now())}.`,
    '--receipt',
    'Content-Type: message/disposition-notification',
    '',
    `Final-Recipient: rfc822;${reader.email}`,
    `Original-Message-ID: ${text.internetMessageId ?? ''}`,
    'Disposition: automatic-action/MDN-sent-automatically; displayed',
    '',
    '--receipt--',
    '',
  ]
  const content = receivedMail(Buffer.from(lines.join('\r\n')), world.now())
  deliverItem(sender, { type: messageTypeOf({ world }), content, itemClass: 'REPORT.IPM.Note.IPNRN' })
}
