import { messageOperations } from '../../mail/exchange/messages.ts'
import { ewsMail } from './exchange-mail.ts'
import type { MailItem } from './mail-api.ts'
import { isHtml } from './mapping/message.ts'
import { readMessages, readSources } from './reading.ts'

export const messages = messageOperations(ewsMail, {
  readMessages,
  textOf: (item) => ({ body: item.Body?.value ?? '', isHtml: isHtml(item) }),
  readSources: (mailbox, items: readonly MailItem[]) => readSources(mailbox, items),
  asksForHeaders: ({ fields }) => fields.has('headers'),
  headersOf: ({ InternetMessageHeaders: headers = [] }) =>
    headers.map(({ HeaderName: name, value }) => ({ name, value })),
  withHeaders: (item, headers) => ({
    ...item,
    InternetMessageHeaders: headers.map(({ name, value }) => ({ HeaderName: name, value })),
  }),
})
