/** Recipients that only another reader finds in a whole MIME message. */

import { headersOf } from '@waypost/providers/mail/mime-edits'
import { type Effects, shownRecipients } from './effects.ts'
import { furtherAddresses } from './header-addresses.ts'

/** Effects with the addresses that a provider may find in the headers of the message, and Waypost does not. */
export function withFurtherAddresses<E extends Effects>({ mime }: { mime: Uint8Array | undefined }, effects: E): E {
  if (!mime) return effects
  const values = headersOf(mime)
    .filter(({ name }) => /^(?:to|cc|bcc|reply-to)$/i.test(name))
    .map(({ value }) => Buffer.from(value, 'latin1').toString('utf8'))
  const known = effects.recipients.map(({ email }) => email)
  const further = furtherAddresses(values, known).map((email) => ({ role: 'header' as const, email }))
  if (further.length === 0) return effects
  const recipients = [...effects.recipients, ...further]
  return { ...effects, recipients, preview: { ...effects.preview, recipients: shownRecipients(recipients) } }
}
