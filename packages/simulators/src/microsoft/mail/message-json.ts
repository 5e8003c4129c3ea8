// Messages and attachments as Graph returns them. https://learn.microsoft.com/graph/api/resources/message
import type { JsonObject } from '../../shared/http.ts'
import type { Body, Recipient } from '../../shared/mail/content.ts'
import { htmlToText, rewriteHtml, textToHtml } from '../../shared/mail/html.ts'
import { itemId } from '../item-ids.ts'
import type { EntityType } from '../odata/entity.ts'
import type { Preferences } from '../preferences.ts'
import type { StoredAttachment, StoredMessage } from './stored.ts'

const BY_SELECT = ['internetMessageHeaders', 'uniqueBody']

export const MESSAGE: EntityType = {
  name: 'message',
  properties: [
    'id',
    'createdDateTime',
    'lastModifiedDateTime',
    'changeKey',
    'categories',
    'receivedDateTime',
    'sentDateTime',
    'hasAttachments',
    'internetMessageId',
    'subject',
    'bodyPreview',
    'importance',
    'parentFolderId',
    'conversationId',
    'conversationIndex',
    'isDeliveryReceiptRequested',
    'isReadReceiptRequested',
    'isRead',
    'isDraft',
    'webLink',
    'inferenceClassification',
    'body',
    'sender',
    'from',
    'toRecipients',
    'ccRecipients',
    'bccRecipients',
    'replyTo',
    'flag',
    ...BY_SELECT,
  ],
  bySelect: BY_SELECT,
  navigations: ['attachments', 'singleValueExtendedProperties', 'multiValueExtendedProperties', 'extensions'],
}

export const ATTACHMENT: EntityType = {
  name: 'attachment',
  properties: [
    'id',
    'lastModifiedDateTime',
    'name',
    'contentType',
    'size',
    'isInline',
    'contentId',
    'contentLocation',
    'contentBytes',
    'item',
  ],
  // Names with a type prefix are accepted too.
  navigations: ['microsoft.graph.itemAttachment/item'],
}

/** The storage overhead of an attachment, which Exchange includes in its size. */
const attachmentOverhead = 138

interface Cached {
  readonly changeKey: string
  readonly json: JsonObject
}

const cache = new WeakMap<StoredMessage, Cached>()

/** A message without its id and body, which depend on the caller's preferences. */
function baseJson(message: StoredMessage): JsonObject {
  const found = cache.get(message)
  if (found?.changeKey === message.changeKey) return found.json
  const { content, marks, changeKey, attachments, isDraft, folder } = message
  const sent = isDraft ? message.createdAt : (content.sentAt ?? message.receivedAt)
  const json: JsonObject = {
    '@odata.etag': `W/"${changeKey}"`,
    id: message.id,
    createdDateTime: moment(message.createdAt),
    lastModifiedDateTime: moment(message.modifiedAt),
    changeKey,
    categories: marks.categories,
    receivedDateTime: moment(message.receivedAt),
    sentDateTime: moment(sent),
    hasAttachments: attachments.some(({ isInline }) => !isInline),
    internetMessageId: content.internetMessageId ?? null,
    subject: content.subject,
    bodyPreview: previewOf(content.body),
    importance: content.importance,
    parentFolderId: folder.id,
    conversationId: message.conversationId,
    conversationIndex: message.conversationIndex,
    isDeliveryReceiptRequested: isDraft || content.wantsDeliveryReceipt ? content.wantsDeliveryReceipt : null,
    isReadReceiptRequested: content.wantsReadReceipt,
    isRead: marks.isRead,
    isDraft,
    webLink: `https://outlook.office365.com/owa/?ItemID=${encodeURIComponent(message.id)}&exvsurl=1&viewmodel=ReadMessageItem`,
    inferenceClassification: marks.inferenceClassification,
    ...(content.sender && { sender: recipientJson(content.sender) }),
    ...(content.from && { from: recipientJson(content.from) }),
    toRecipients: content.to.map(recipientJson),
    ccRecipients: content.cc.map(recipientJson),
    bccRecipients: content.bcc.map(recipientJson),
    replyTo: content.replyTo.map(recipientJson),
    flag: marks.flag,
    ...(content.headers.length > 0 && {
      internetMessageHeaders: content.headers.map(({ name, value }) => ({ name, value })),
    }),
  }
  cache.set(message, { changeKey, json })
  return json
}

/** The form for filters and orders, without bodies. */
export function filterJson(message: StoredMessage): JsonObject {
  return baseJson(message)
}

export function messageJson(message: StoredMessage, prefer: Preferences): JsonObject {
  const body = bodyJson(message.content.body, prefer)
  return {
    ...baseJson(message),
    id: prefer.immutableIds ? message.immutableId : message.id,
    body,
    uniqueBody: body,
  }
}

function bodyJson({ contentType, content }: Body, prefer: Preferences): JsonObject {
  const wanted = prefer.bodyType ?? contentType
  if (contentType === 'html') {
    if (wanted === 'text') return { contentType: 'text', content: htmlToText(content) }
    return { contentType: 'html', content: rewriteHtml(content, prefer.allowUnsafeHtml) }
  }
  const text = content.replace(/\r?\n/g, '\r\n')
  return wanted === 'html' ? { contentType: 'html', content: textToHtml(text) } : { contentType: 'text', content: text }
}

function previewOf({ contentType, content }: Body): string {
  const text = contentType === 'html' ? htmlToText(content) : content.replace(/\r?\n/g, '\r\n').trim()
  return text.slice(0, 255)
}

export function recipientJson({ name, address }: Recipient): JsonObject {
  return { emailAddress: { name, address } }
}

export function attachmentId(message: StoredMessage, { number }: StoredAttachment, immutable: boolean): string {
  const outer = immutable ? message.immutableId : message.id
  return itemId(message.owner, { folder: '', key: `${outer}/${number}` }, immutable)
}

export function attachmentJson(message: StoredMessage, attachment: StoredAttachment, prefer: Preferences): JsonObject {
  const { kind, name, contentType, isInline, contentId, bytes, modifiedAt } = attachment
  return {
    '@odata.type': `#microsoft.graph.${kind}Attachment`,
    ...(kind === 'file' && { '@odata.mediaContentType': contentType }),
    id: attachmentId(message, attachment, prefer.immutableIds),
    lastModifiedDateTime: moment(modifiedAt),
    name,
    contentType,
    size: bytes.length + attachmentOverhead,
    isInline,
    ...(kind === 'file' && { contentId, contentLocation: null, contentBytes: Buffer.from(bytes).toString('base64') }),
  }
}

/** Precise to the second, like Graph's mail timestamps. */
export function moment(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}
