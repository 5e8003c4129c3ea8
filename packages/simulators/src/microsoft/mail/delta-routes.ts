// Changes of messages in a folder. https://learn.microsoft.com/graph/api/message-delta
import { GraphError } from '../errors.ts'
import type { GraphAnswer, GraphCall, GraphRoute } from '../http.ts'
import { deltaAnswer } from '../odata/delta.ts'
import { optionOf } from '../odata/query.ts'
import { mailboxRoutes } from '../part.ts'
import { mailboxOf } from './mailbox.ts'
import { MESSAGE, messageJson } from './message-json.ts'
import { READ_BASIC } from './scopes.ts'

export const deltaRoutes: readonly GraphRoute[] = mailboxRoutes(
  'GET /mailFolders/:folderId/messages/delta',
  READ_BASIC,
  delta,
)

function delta(call: GraphCall): GraphAnswer {
  const { owner, params, prefer } = call
  const mailbox = mailboxOf(owner)
  const folder = mailbox.folders.find(params.folderId ?? '')
  checkOptions(call)
  return deltaAnswer(call, {
    type: MESSAGE,
    log: folder.log,
    context: 'Collection(message)',
    // Without $orderby the order is not guaranteed. Oldest first, so that no client relies on newest first.
    keys: () =>
      mailbox
        .list(folder)
        .reverse()
        .map(({ immutableId }) => immutableId),
    json(key) {
      const message = mailbox.messages.get(key)
      if (message?.folder !== folder) return undefined
      return { '@odata.type': '#microsoft.graph.message', ...messageJson(message, prefer) }
    },
    removedId: (key, was) => (prefer.immutableIds ? key : (was ?? key)),
    tellsOldIds: !prefer.immutableIds,
    takes: ['$select', '$top', '$filter', '$orderby', '$expand', 'changeType'],
  })
}

function checkOptions({ query }: GraphCall): void {
  const filter = optionOf(query, '$filter')
  if (filter !== undefined && !/^\s*receivedDateTime\s+(?:ge|gt)\s+\S+\s*$/.test(filter)) {
    throw new GraphError(
      400,
      'ErrorInvalidUrlQuery',
      "The '$filter' parameter value is not supported for 'Messages' resource; only a value of 'receivedDateTime ge value' is supported.",
    )
  }
  const order = optionOf(query, '$orderby')
  if (order === undefined || /^\s*receivedDateTime\s+desc\s*$/i.test(order)) return
  throw new GraphError(400, 'ErrorInvalidUrlQuery', "Only '$orderby=receivedDateTime desc' is supported.")
}
