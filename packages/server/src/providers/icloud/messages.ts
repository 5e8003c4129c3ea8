/** Mail of iCloud accounts, where it differs from mail at other IMAP servers. */
import { ApiError } from '../../lib/api-error.ts'
import { mailOfImap } from '../imap/mail.ts'
import { headerOf } from '../mail/header-block.ts'
import { unsubscribing } from './limits.ts'

const { messages: messagesOfImap } = mailOfImap

export const messages: typeof messagesOfImap = {
  ...messagesOfImap,
  async send(session, message, begin) {
    // What comes as fields was held against the limits; a message that the application wrote itself is looked at here.
    if (/^list-unsubscribe(-post)?[ \t]*:/im.test(headerOf(message.source).toString('latin1'))) {
      throw new ApiError('not_supported_by_provider', unsubscribing, {
        fields: { provider: 'icloud', capability: 'custom_headers.name' },
      })
    }
    return messagesOfImap.send(session, message, begin)
  },
}
