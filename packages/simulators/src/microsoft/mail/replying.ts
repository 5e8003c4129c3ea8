// Drafts that answer or forward a message, in its conversation.
import { isObject } from '../../shared/http.ts'
import { GraphError } from '../errors.ts'
import type { GraphCall } from '../http.ts'
import { isOwnAddress } from './addresses.ts'
import { textToHtml } from './html.ts'
import type { Mailbox } from './mailbox.ts'
import { isMimeRequest, type Written, writtenAsJson, writtenAsMime } from './message-body.ts'
import type { MessageContent, Recipient, StoredMessage } from './stored.ts'

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

function fromJson(mailbox: Mailbox, original: StoredMessage, { kind, call }: Reply): Written {
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
  const quoted = quote(original)
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
      cc: kind === 'createReplyAll' ? others(mailbox, original.content) : content.cc,
      attachments: isForward ? [...content.attachments, ...original.attachments] : content.attachments,
    },
  }
}

function answered({ replyTo, from }: MessageContent): readonly Recipient[] {
  return replyTo.length > 0 ? replyTo : from === undefined ? [] : [from]
}

function others({ owner }: Mailbox, { to, cc }: MessageContent): Recipient[] {
  return [...to, ...cc].filter(({ address }) => !isOwnAddress(owner, address))
}

function prefixed(subject: string, prefix: string): string {
  return subject.toUpperCase().startsWith(`${prefix}:`) ? subject : `${prefix}: ${subject}`
}

function quote({ content: { from, subject, body } }: StoredMessage): string {
  const text = body.contentType === 'html' ? body.content : textToHtml(body.content)
  return `<hr><div id="divRplyFwdMsg"><b>From:</b> ${from?.address ?? ''}<br><b>Subject:</b> ${subject}</div>${text}`
}
