// users.drafts: a draft's id is permanent, and every change replaces its message with a new one.

import { isObject, type JsonObject } from '../../shared/http.ts'
import { notFound } from '../errors.ts'
import type { ApiRoute } from '../http.ts'
import { listDrafts } from './listing.ts'
import type { Mailbox } from './mailbox.ts'
import { required, textOrNone } from './message-routes.ts'
import { findMessage, formatOf, messageReference, messageResource } from './resources.ts'
import { gmailRoute, MAIL, uploadRoutes } from './route.ts'
import { completeMessage, sendMessage } from './sending.ts'
import type { StoredMessage } from './stored.ts'
import type { Upload } from './uploads.ts'

const READ = [MAIL, 'gmail.modify', 'gmail.compose', 'gmail.readonly']
const WRITE = [MAIL, 'gmail.modify', 'gmail.compose']

export const draftRoutes: readonly ApiRoute[] = [
  gmailRoute({
    on: 'GET /drafts',
    scopes: READ,
    query: ['includeSpamTrash', 'maxResults', 'pageToken', 'q'],
    handle: (mailbox, call) => ({ json: listDrafts(mailbox, call) }),
  }),
  gmailRoute({
    on: 'GET /drafts/:id',
    scopes: READ,
    query: ['format'],
    handle(mailbox, call) {
      const { id = '' } = call.params
      return { json: { id, message: messageResource(findDraft(mailbox, id), formatOf(call)) } }
    },
  }),
  ...uploadRoutes({
    on: 'POST /drafts',
    scopes: WRITE,
    handle(mailbox, upload) {
      const message = addDraftMessage(mailbox, upload)
      const id = mailbox.nextDraftId()
      mailbox.drafts.set(id, message.id)
      return { json: { id, message: messageReference(message) } }
    },
  }),
  ...uploadRoutes({
    on: 'PUT /drafts/:id',
    scopes: WRITE,
    handle(mailbox, upload, { params: { id = '' } }) {
      const message = replaceDraft(mailbox, id, upload)
      return { json: { id, message: messageReference(message) } }
    },
  }),
  ...uploadRoutes({
    on: 'POST /drafts/send',
    scopes: WRITE,
    handle: (mailbox, upload) => ({ json: messageReference(sendDraft(mailbox, upload)) }),
  }),
  gmailRoute({
    on: 'DELETE /drafts/:id',
    scopes: WRITE,
    handle(mailbox, { params: { id = '' } }) {
      mailbox.remove(findDraft(mailbox, id))
      return {}
    },
  }),
]

function findDraft(mailbox: Mailbox, id: string): StoredMessage {
  const messageId = mailbox.drafts.get(id)
  if (messageId === undefined) throw notFound()
  return findMessage(mailbox, messageId)
}

function messageOf({ message }: JsonObject): JsonObject {
  return isObject(message) ? message : {}
}

function addDraftMessage(mailbox: Mailbox, { resource, raw }: Upload): StoredMessage {
  const now = mailbox.world.now()
  return mailbox.add({
    raw: completeMessage(mailbox, required(raw), now),
    labels: ['DRAFT'],
    internalDate: now,
    threadId: textOrNone(messageOf(resource).threadId),
  })
}

function replaceDraft(mailbox: Mailbox, id: string, upload: Upload): StoredMessage {
  const old = findDraft(mailbox, id)
  const message = addDraftMessage(mailbox, upload)
  mailbox.drafts.set(id, message.id)
  mailbox.remove(old)
  return message
}

/** Deletes the draft; the sent message is a new one. */
function sendDraft(mailbox: Mailbox, upload: Upload): StoredMessage {
  const id = textOrNone(upload.resource.id)
  if (id === undefined) {
    const threadId = textOrNone(messageOf(upload.resource).threadId)
    return sendMessage(mailbox, { raw: required(upload.raw), threadId })
  }
  const draft = findDraft(mailbox, id)
  const others = mailbox.threads.get(draft.threadId)?.size ?? 0
  const threadId = others > 1 ? draft.threadId : undefined
  const sent = sendMessage(mailbox, { raw: upload.raw ?? draft.raw, threadId })
  mailbox.remove(draft)
  return sent
}
