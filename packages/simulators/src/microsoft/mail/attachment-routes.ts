// Attachments of messages. https://learn.microsoft.com/graph/api/resources/attachment
import type { JsonObject } from '../../shared/http.ts'
import { contentOfMime } from '../../shared/mail/from-mime.ts'
import { GraphError, itemNotFound } from '../errors.ts'
import type { GraphAnswer, GraphCall, GraphRoute } from '../http.ts'
import { type ItemOptions, itemAnswer, listAnswer } from '../odata/collection.ts'
import { mailboxRoutes } from '../part.ts'
import { readUploadItem } from '../upload-sessions.ts'
import { attachmentOfJson, typeOfName } from './attachment-body.ts'
import { mailboxOf } from './mailbox.ts'
import { ATTACHMENT, attachmentId, attachmentJson, recipientJson } from './message-json.ts'
import { found } from './message-routes.ts'
import { READ, WRITE } from './scopes.ts'
import type { StoredAttachment, StoredMessage } from './stored.ts'

const roots = ['/messages/:id/attachments', '/mailFolders/:folderId/messages/:id/attachments'] as const

export const attachmentRoutes: readonly GraphRoute[] = roots.flatMap((path) => [
  ...mailboxRoutes(`GET ${path}`, READ, (call) => {
    const message = found(call)
    return listAnswer(call, message.attachments, { ...optionsOf(call, message), pageSize: 1000 })
  }),
  ...mailboxRoutes(`POST ${path}`, WRITE, (call) => {
    const message = found(call)
    const attachment = mailboxOf(call.owner).attach(message, attachmentOfJson(call.json()))
    return itemAnswer(call, attachment, optionsOf(call, message), 201)
  }),
  ...mailboxRoutes(`POST ${path}/createUploadSession`, WRITE, openSession),
  ...mailboxRoutes(`GET ${path}/:attachmentId`, READ, (call) => {
    const message = found(call)
    return itemAnswer(call, attachmentOf(call, message), optionsOf(call, message))
  }),
  ...mailboxRoutes(`GET ${path}/:attachmentId/$value`, READ, value),
  ...mailboxRoutes(`DELETE ${path}/:attachmentId`, WRITE, (call) => {
    const message = found(call)
    const removed = attachmentOf(call, message)
    const attachments = message.attachments.filter((each) => each !== removed)
    mailboxOf(call.owner).update(message, { attachments, raw: undefined })
    return {}
  }),
])

function attachmentOf({ params }: GraphCall, message: StoredMessage): StoredAttachment {
  const wanted = params.attachmentId
  const isWanted = (attachment: StoredAttachment) =>
    [true, false].some((immutable) => attachmentId(message, attachment, immutable) === wanted)
  const attachment = message.attachments.find(isWanted)
  if (attachment === undefined) throw itemNotFound()
  return attachment
}

function optionsOf(call: GraphCall, message: StoredMessage): ItemOptions<StoredAttachment> {
  const { owner, prefer } = call
  return {
    type: ATTACHMENT,
    context: `users('${owner.id}')/messages('${encodeURIComponent(call.params.id ?? '')}')/attachments`,
    json: (attachment) => attachmentJson(message, attachment, prefer),
    expand: (attachment) => (attachment.kind === 'item' ? itemJson(attachment) : undefined),
    expandsTo: 'item',
  }
}

/** The message inside an attachment. */
function itemJson({ bytes }: StoredAttachment): JsonObject {
  const { subject, body, from, to, cc, internetMessageId } = contentOfMime(bytes)
  return {
    '@odata.type': '#microsoft.graph.message',
    id: '',
    subject,
    body: { contentType: body.contentType, content: body.content },
    ...(from && { from: recipientJson(from) }),
    toRecipients: to.map(recipientJson),
    ccRecipients: cc.map(recipientJson),
    internetMessageId: internetMessageId ?? null,
    isDraft: false,
  }
}

function value(call: GraphCall): GraphAnswer {
  const { kind, bytes, contentType } = attachmentOf(call, found(call))
  if (kind === 'reference') {
    throw new GraphError(405, 'ErrorInvalidRequest', 'A reference attachment has no content.')
  }
  return {
    bytes,
    headers: { 'content-type': kind === 'item' ? 'text/plain' : (contentType ?? 'application/octet-stream') },
  }
}

function openSession(call: GraphCall): GraphAnswer {
  const { owner, world, caller } = call
  if (caller.account !== undefined && caller.account.oid !== owner.oid) {
    throw new GraphError(403, 'ErrorAccessDenied', 'Access is denied. Check credentials and try again.')
  }
  const message = found(call)
  const json = world.uploads.open(readUploadItem(call.json()), (item, bytes) => {
    const attachment = mailboxOf(owner).attach(message, {
      kind: 'file',
      name: item.name,
      contentType: item.contentType ?? typeOfName(item.name),
      isInline: item.isInline,
      contentId: item.contentId ?? null,
      bytes,
    })
    const id = attachmentId(message, attachment, call.prefer.immutableIds)
    return { location: `/api/v2.0/Users('${owner.id}')/Messages('${message.id}')/Attachments('${id}')` }
  })
  return { status: 201, json }
}
