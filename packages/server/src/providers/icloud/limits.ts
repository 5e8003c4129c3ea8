/** What iCloud accounts do not have. */
import { mailLimits } from '../imap/limits.ts'
import { defineLimits, unsupported } from '../limits.ts'

export const unsubscribing = 'iCloud sends no mail with List-Unsubscribe headers: write a link into the text'
const headers = {
  'custom_headers[].name': unsupported(unsubscribing, {
    values: ['List-Unsubscribe', 'List-Unsubscribe-Post'],
    anyCase: true,
  }),
}

export const limits = defineLimits({
  ...mailLimits,
  'messages.send': { ...mailLimits['messages.send'], body: { ...mailLimits['messages.send']?.body, ...headers } },
  'drafts.create': { body: headers },
})
