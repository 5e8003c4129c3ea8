import type { Address } from '@waypost/formats/mime/mime'
import type { Outline } from '../../../mail/outline.ts'
import type { GraphMessage } from '../mail-api.ts'

/** Whether a message answers another one. */
export const isReply = ({
  internetMessageHeaders: headers = [],
  singleValueExtendedProperties: properties = [],
}: GraphMessage): boolean =>
  properties.some(({ value }) => value) || headers.some(({ name }) => /^(?:in-reply-to|references)$/i.test(name))

const recipients = (people: readonly Address[]): object[] =>
  people.map(({ name, email }) => ({ emailAddress: { ...(name ? { name } : {}), address: email } }))

/** The fields of a draft, in the form that Graph changes them. */
export function contentOf(outline: Outline, known: GraphMessage): Record<string, unknown> {
  const [from] = outline.from
  const own = known.from?.emailAddress?.address?.toLowerCase()
  return {
    subject: outline.subject,
    body: { contentType: outline.isHtml ? 'html' : 'text', content: outline.body },
    toRecipients: recipients(outline.to),
    ccRecipients: recipients(outline.cc),
    bccRecipients: recipients(outline.bcc),
    replyTo: recipients(outline.reply_to),
    ...(from && from.email.toLowerCase() !== own ? { from: recipients([from])[0] } : {}),
  }
}
