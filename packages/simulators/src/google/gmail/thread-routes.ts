// users.threads
import type { ApiRoute } from '../http.ts'
import { listThreads } from './listing.ts'
import type { Mailbox } from './mailbox.ts'
import { listQuery, modifyLabels } from './message-routes.ts'
import { findThread, formatOf, messageReference, threadResource } from './resources.ts'
import { gmailRoute, MAIL } from './route.ts'

const READ = [MAIL, 'gmail.modify', 'gmail.readonly', 'gmail.metadata']
const modify = [MAIL, 'gmail.modify']

export const threadRoutes: readonly ApiRoute[] = [
  gmailRoute({
    on: 'GET /threads',
    scopes: READ,
    query: listQuery,
    handle: (mailbox, call) => ({ json: listThreads(mailbox, call) }),
  }),
  gmailRoute({
    on: 'GET /threads/:id',
    scopes: READ,
    query: ['format', 'metadataHeaders'],
    handle(mailbox, call) {
      const { id = '' } = call.params
      return { json: threadResource(id, findThread(mailbox, id), formatOf(call)) }
    },
  }),
  gmailRoute({
    on: 'POST /threads/:id/modify',
    scopes: modify,
    handle(mailbox, { params: { id = '' }, json }) {
      modifyLabels(mailbox, findThread(mailbox, id), json())
      return threadAnswer(mailbox, id)
    },
  }),
  gmailRoute({
    on: 'POST /threads/:id/trash',
    scopes: modify,
    handle(mailbox, { params: { id = '' } }) {
      for (const message of findThread(mailbox, id)) mailbox.trash(message)
      return threadAnswer(mailbox, id)
    },
  }),
  gmailRoute({
    on: 'POST /threads/:id/untrash',
    scopes: modify,
    handle(mailbox, { params: { id = '' } }) {
      for (const message of findThread(mailbox, id)) mailbox.untrash(message)
      return threadAnswer(mailbox, id)
    },
  }),
  gmailRoute({
    on: 'DELETE /threads/:id',
    scopes: [MAIL],
    handle(mailbox, { params: { id = '' } }) {
      for (const message of findThread(mailbox, id)) mailbox.remove(message)
      return {}
    },
  }),
]

function threadAnswer(mailbox: Mailbox, id: string) {
  return { json: { id, messages: findThread(mailbox, id).map(messageReference) } }
}
