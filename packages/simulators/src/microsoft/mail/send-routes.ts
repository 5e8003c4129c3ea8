// Sending. https://learn.microsoft.com/graph/api/user-sendmail
import { isObject } from '../../shared/http.ts'
import { invalidBody } from '../errors.ts'
import type { GraphAnswer, GraphCall, GraphRoute } from '../http.ts'
import { mailboxRoutes } from '../part.ts'
import { mailboxOf } from './mailbox.ts'
import { isMimeRequest, writtenAsJson, writtenAsMime } from './message-body.ts'
import { found } from './message-routes.ts'
import { SEND } from './scopes.ts'
import { type Sender, sendDraft, sendNew } from './sending.ts'

export const sendRoutes: readonly GraphRoute[] = [
  ...mailboxRoutes('POST /sendMail', SEND, send),
  ...mailboxRoutes('POST /messages/:id/send', SEND, (call) => {
    sendDraft(senderOf(call), found(call))
    return { status: 202 }
  }),
]

function senderOf({ owner, caller }: GraphCall): Sender {
  return { mailbox: mailboxOf(owner), caller: caller.account }
}

function send(call: GraphCall): GraphAnswer {
  const mailbox = mailboxOf(call.owner)
  if (isMimeRequest(call.headers)) {
    sendNew(senderOf(call), writtenAsMime(mailbox, call.body), true)
    return { status: 202 }
  }
  const json = call.json()
  const message = json.message ?? json.Message
  if (!isObject(message)) throw invalidBody('The parameter Message is missing.')
  const keepsCopy = (json.saveToSentItems ?? json.SaveToSentItems) !== false
  sendNew(senderOf(call), writtenAsJson(mailbox, message, call.body.length), keepsCopy)
  return { status: 202 }
}
