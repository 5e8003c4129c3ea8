/** Mail operations of iCloud accounts that differ from other IMAP servers. */
import { ApiError } from '@waypost/platform/api-error'
import { mailOfImap } from '../imap/account-table.ts'
import { headerOf } from '../mail/mime-edits.ts'
import { unsubscribing } from './limits.ts'

const { messages: messagesOfImap } = mailOfImap

export const messages: typeof messagesOfImap = {
  ...messagesOfImap,
  async send(session, message, begin) {
    // Request fields were checked against the limits already. MIME from the client is checked here.
    if (/^list-unsubscribe(-post)?[ \t]*:/im.test(headerOf(message.source).toString('latin1'))) {
      throw new ApiError('not_supported_by_provider', unsubscribing, {
        fields: { provider: 'icloud', capability: 'custom_headers.name' },
      })
    }
    return messagesOfImap.send(session, message, begin)
  },
}
