// The Gmail API. https://developers.google.com/workspace/gmail/api/reference/rest

import type { JsonObject } from '../../shared/http.ts'
import { notFound } from '../errors.ts'
import type { ApiRoute } from '../http.ts'
import { draftRoutes } from './draft-routes.ts'
import { listHistory } from './history.ts'
import { labelRoutes } from './label-routes.ts'
import type { Mailbox } from './mailbox.ts'
import { messageRoutes } from './message-routes.ts'
import { gmailRoute, MAIL } from './route.ts'
import { threadRoutes } from './thread-routes.ts'
import { startWatch } from './watch.ts'

const READ = [MAIL, 'gmail.modify', 'gmail.readonly', 'gmail.metadata']
const settings = [MAIL, 'gmail.modify', 'gmail.readonly', 'gmail.settings.basic']

export const gmailRoutes: readonly ApiRoute[] = [
  ...messageRoutes,
  ...threadRoutes,
  ...labelRoutes,
  ...draftRoutes,
  gmailRoute({
    on: 'GET /profile',
    scopes: [...READ, 'gmail.compose'],
    handle: ({ owner, messages, threads, historyId }) => ({
      json: {
        emailAddress: owner.email,
        messagesTotal: messages.size,
        threadsTotal: threads.size,
        historyId: String(historyId),
      },
    }),
  }),
  gmailRoute({
    on: 'GET /history',
    scopes: READ,
    query: ['historyTypes', 'labelId', 'maxResults', 'pageToken', 'startHistoryId'],
    handle: (mailbox, call) => ({ json: listHistory(mailbox, call) }),
  }),
  gmailRoute({
    on: 'POST /watch',
    scopes: READ,
    handle: (mailbox, { json }) => ({ json: startWatch(mailbox, json()) }),
  }),
  gmailRoute({
    on: 'POST /stop',
    scopes: READ,
    handle(mailbox) {
      mailbox.watch = undefined
      return {}
    },
  }),
  gmailRoute({
    on: 'GET /settings/sendAs',
    scopes: settings,
    handle: (mailbox) => ({ json: { sendAs: sendAs(mailbox) } }),
  }),
  gmailRoute({
    on: 'GET /settings/sendAs/:sendAsEmail',
    scopes: settings,
    handle(mailbox, { params }) {
      const found = sendAs(mailbox).find(({ sendAsEmail }) => sendAsEmail === params.sendAsEmail)
      if (found === undefined) throw notFound()
      return { json: found }
    },
  }),
]

function sendAs({ owner: { email, name, aliases } }: Mailbox): JsonObject[] {
  const primary = {
    sendAsEmail: email,
    displayName: name,
    replyToAddress: '',
    signature: '',
    isPrimary: true,
    isDefault: true,
  }
  const others = aliases.map((alias) => ({
    sendAsEmail: alias,
    displayName: name,
    replyToAddress: '',
    signature: '',
    treatAsAlias: true,
    verificationStatus: 'accepted',
  }))
  return [primary, ...others]
}
