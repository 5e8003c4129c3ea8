// Messages. https://learn.microsoft.com/graph/api/resources/message
import { GraphError } from '../errors.ts'
import type { GraphAnswer, GraphCall, GraphRoute } from '../http.ts'
import { itemAnswer } from '../odata/collection.ts'
import { mailboxRoutes } from '../part.ts'
import { newMessageId } from './addresses.ts'
import { listMessages, messageOptions } from './listing.ts'
import { type Mailbox, mailboxOf } from './mailbox.ts'
import { isMimeRequest, readChange, writtenAsJson, writtenAsMime } from './message-body.ts'
import { replyDraft } from './replying.ts'
import { READ, READ_BASIC, WRITE } from './scopes.ts'
import { rawOf } from './sending.ts'
import type { StoredFolder, StoredMessage } from './stored.ts'

const collections = ['/messages', '/mailFolders/:folderId/messages'] as const

export const messageRoutes: readonly GraphRoute[] = [
  ...collections.flatMap((path) => [
    ...mailboxRoutes(`GET ${path}`, READ_BASIC, (call) => listMessages(call, mailboxOf(call.owner), folderOf(call))),
    ...mailboxRoutes(`POST ${path}`, WRITE, create),
    ...mailboxRoutes(`GET ${path}/:id`, READ_BASIC, (call) => one(call, found(call))),
    ...mailboxRoutes(`PATCH ${path}/:id`, WRITE, update),
    ...mailboxRoutes(`DELETE ${path}/:id`, WRITE, (call) => {
      const message = found(call)
      if (message.folder.wellKnownName === 'recoverableitemsdeletions') throw cannotDelete()
      mailboxOf(call.owner).delete(message)
      return {}
    }),
    ...mailboxRoutes(`GET ${path}/:id/$value`, READ, (call) => ({
      bytes: rawOf(found(call)),
      headers: { 'content-type': 'text/plain' },
    })),
    ...mailboxRoutes(`POST ${path}/:id/permanentDelete`, WRITE, (call) => {
      mailboxOf(call.owner).purge(found(call))
      return {}
    }),
    ...mailboxRoutes(`POST ${path}/:id/move`, WRITE, (call) => {
      const message = found(call)
      mailboxOf(call.owner).move(message, destination(call))
      return one(call, message, 201)
    }),
    ...mailboxRoutes(`POST ${path}/:id/copy`, WRITE, (call) =>
      one(call, mailboxOf(call.owner).copy(found(call), destination(call)), 201),
    ),
    ...(['createReply', 'createReplyAll', 'createForward'] as const).flatMap((kind) =>
      mailboxRoutes(`POST ${path}/:id/${kind}`, WRITE, (call) =>
        one(call, replyDraft(mailboxOf(call.owner), found(call), { kind, call }), 201),
      ),
    ),
  ]),
]

/** The message that a request names. */
export function found(call: GraphCall): StoredMessage {
  return mailboxOf(call.owner).find(call.params.id ?? '')
}

function folderOf({ owner, params }: GraphCall): StoredFolder | undefined {
  return params.folderId === undefined ? undefined : mailboxOf(owner).folders.find(params.folderId)
}

function one(call: GraphCall, message: StoredMessage, status = 200): GraphAnswer {
  return itemAnswer(call, message, messageOptions(call), status)
}

function create(call: GraphCall): GraphAnswer {
  const mailbox = mailboxOf(call.owner)
  const folder = folderOf(call) ?? mailbox.folders.wellKnown('drafts')
  const message = addDraft(mailbox, call, folder)
  return one(call, message, 201)
}

function addDraft(mailbox: Mailbox, call: GraphCall, folder: StoredFolder): StoredMessage {
  const { content, marks, raw } = isMimeRequest(call.headers)
    ? writtenAsMime(mailbox, call.body)
    : writtenAsJson(mailbox, call.json(), call.body.length)
  const internetMessageId = content.internetMessageId ?? newMessageId(call.owner)
  const named = { ...content, internetMessageId }
  return mailbox.add({ content: named, folder, raw, isDraft: true, receivedAt: call.now, marks })
}

function update(call: GraphCall): GraphAnswer {
  const message = found(call)
  const etag = call.headers.get('if-match')
  if (etag !== null && etag !== '*' && etag !== `W/"${message.changeKey}"`) {
    throw new GraphError(
      412,
      'ErrorIrresolvableConflict',
      'The send or update operation could not be performed because the change key passed in the request does not match the current change key for the item.',
    )
  }
  const json = call.json()
  const isReadOnly = Object.keys(json).every((name) => name === 'isRead')
  const fields = isReadOnly ? ['isRead', 'parentFolderId'] : undefined
  mailboxOf(call.owner).update(message, readChange(message, json), fields)
  return one(call, message)
}

function destination(call: GraphCall): StoredFolder {
  const { destinationId, DestinationId } = call.json()
  const id = destinationId ?? DestinationId
  if (typeof id !== 'string') {
    throw new GraphError(400, 'ErrorInvalidRequest', 'The parameter DestinationId is missing.')
  }
  return mailboxOf(call.owner).folders.find(id)
}

function cannotDelete(): GraphError {
  return new GraphError(403, 'ErrorCannotDeleteObject', 'Object cannot be deleted.')
}
