import { messageOperations } from '../../mail/exchange/messages.ts'
import { graphMail } from './exchange-mail.ts'
import { idPath } from './mail-api.ts'
import { isHtml } from './mapping/message.ts'
import { readMessages, readSources } from './reading.ts'

export const messages = messageOperations(graphMail, {
  async readMessages(mailbox, ids, wanted) {
    for (const id of ids) idPath('message', id)
    const found = new Map((await readMessages(mailbox, ids, wanted)).map((each) => [each.id, each]))
    return ids.map((id) => found.get(id))
  },
  textOf: (message) => ({ body: message.body?.content ?? '', isHtml: isHtml(message) }),
  readSources: (mailbox, listed) =>
    readSources(
      mailbox,
      listed.map(({ id }) => id),
    ),
  asksForHeaders: ({ properties }) => properties.includes('internetMessageHeaders'),
  headersOf: ({ internetMessageHeaders = [] }) => internetMessageHeaders,
  withHeaders: (message, headers) => ({ ...message, internetMessageHeaders: [...headers] }),
})
