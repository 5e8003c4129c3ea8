// Drafts of replies and forwards, in the conversation of the original message.
import { isObject } from '../../shared/http.ts'
import { textToHtml } from '../../shared/mail/html.ts'
import { answered, othersOf, prefixed, quote } from '../../shared/mail/replies.ts'
import { GraphError } from '../errors.ts'
import type { GraphCall } from '../http.ts'
import { isOwnAddress } from './addresses.ts'
import type { Mailbox } from './mailbox.ts'
import { isMimeRequest, type WrittenBody, writtenAsJson, writtenAsMime } from './message-body.ts'
import type { StoredMessage } from './stored.ts'

export interface Reply {
  readonly kind: 'createReply' | 'createReplyAll' | 'createForward'
  readonly call: GraphCall
}

export function replyDraft(mailbox: Mailbox, original: StoredMessage, { kind, call }: Reply): StoredMessage {
  const written = isMimeRequest(call.headers)
    ? writtenAsMime(mailbox, call.body)
    : fromJson(mailbox, original, { kind, call })
  const { internetMessageId, references } = original.content
  const chain = [...(internetMessageId === undefined ? [] : [internetMessageId]), ...references]
  return mailbox.add({
    content: { ...written.content, references: kind === 'createForward' ? references : chain },
    folder: mailbox.folders.wellKnown('drafts'),
    raw: undefined,
    isDraft: true,
    receivedAt: call.now,
    marks: written.marks,
  })
}

function fromJson(mailbox: Mailbox, original: StoredMessage, { kind, call }: Reply): WrittenBody {
  const json = call.json()
  const given = isObject(json.message) ? json.message : isObject(json.Message) ? json.Message : {}
  const comment = json.comment ?? json.Comment
  if (comment !== undefined && 'body' in given) {
    throw new GraphError(400, 'ErrorInvalidRequest', 'A comment and a body cannot both be given.')
  }
  const recipients = json.toRecipients ?? json.ToRecipients
  const { content, marks } = writtenAsJson(
    mailbox,
    { ...given, ...(recipients !== undefined && { toRecipients: recipients }) },
    call.body.length,
  )
  const isForward = kind === 'createForward'
  const quoted = quote(original.content)
  const body = 'body' in given ? content.body.content : ''
  return {
    raw: undefined,
    marks,
    content: {
      ...content,
      subject: 'subject' in given ? content.subject : prefixed(original.content.subject, isForward ? 'FW' : 'RE'),
      body: {
        contentType: 'html',
        content: content.body.contentType === 'html' ? body + quoted : textToHtml(body) + quoted,
      },
      to: content.to.length > 0 || isForward ? content.to : answered(original.content),
      cc:
        kind === 'createReplyAll'
          ? othersOf(original.content, (address) => isOwnAddress(mailbox.owner, address))
          : content.cc,
      attachments: isForward ? [...content.attachments, ...original.attachments] : content.attachments,
    },
  }
}
