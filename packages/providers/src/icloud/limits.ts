/** Features that iCloud accounts lack. */
import { iCloudCalendarLimits } from '../dav/caldav/limits.ts'
import { cardDavLimits } from '../dav/carddav/traits.ts'
import { mailLimits } from '../imap/limits.ts'
import { defineLimits, unsupported } from '../limits.ts'

export const unsubscribing = 'iCloud does not send mail with List-Unsubscribe headers: put a link into the text'
const headers = {
  'custom_headers[].name': unsupported(unsubscribing, {
    values: ['List-Unsubscribe', 'List-Unsubscribe-Post'],
    anyCase: true,
  }),
}

export const limits = defineLimits({
  ...mailLimits,
  ...iCloudCalendarLimits,
  ...cardDavLimits,
  'messages.send': { ...mailLimits['messages.send'], body: { ...mailLimits['messages.send']?.body, ...headers } },
  'drafts.create': { body: headers },
})
