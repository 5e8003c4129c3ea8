/** The properties of Graph that each field of a message needs. */

import type { MessageFields } from '@waypost/contract'
import type { FieldsQuery } from '../../../mail/exchange/mail-api.ts'
import { attachmentFields } from './attachment.ts'

/** The requested properties of a message. */
export interface MessageQuery {
  properties: readonly string[]
  attachments: boolean
  /** Whether the message answers another one, for a draft without headers. */
  answered?: true
}

const properties: Readonly<Record<string, string>> = {
  thread_id: 'conversationId',
  subject: 'subject',
  from: 'from',
  to: 'toRecipients',
  cc: 'ccRecipients',
  bcc: 'bccRecipients',
  reply_to: 'replyTo',
  unread: 'isRead',
  starred: 'flag',
  snippet: 'bodyPreview',
  body: 'body',
  folders: 'parentFolderId',
}
const always = ['id', 'receivedDateTime']

/** The fields for filters and threads: all except texts. */
const light = ['thread_id', 'subject', 'from', 'to', 'cc', 'bcc', 'unread', 'starred', 'folders']
export const envelope: MessageQuery = {
  properties: [...always, ...light.flatMap((name) => properties[name] ?? []), 'hasAttachments', 'isDraft'],
  attachments: false,
}
export const standard: MessageQuery = { properties: [...always, ...Object.values(properties)], attachments: true }
export const nothingButNames: MessageQuery = { properties: always, attachments: false }

const asksForHeaders = (fields: MessageFields | undefined): boolean =>
  fields === 'include_headers' || fields === 'include_basic_headers'

/** The smallest selection for the requested fields. */
export function wantedOf({ fields, select }: FieldsQuery): MessageQuery {
  const isWhole = !select || select.length === 0
  const chosen = isWhole ? standard.properties : [...always, ...select.flatMap((name) => properties[name] ?? [])]
  const headers = asksForHeaders(fields) && (isWhole || select.includes('headers')) ? ['internetMessageHeaders'] : []
  return {
    properties: [...new Set([...chosen, ...headers])],
    attachments: isWhole || select.includes('attachments'),
  }
}

export const withProperties = (wanted: MessageQuery, more: readonly string[]): MessageQuery => ({
  ...wanted,
  properties: [...new Set([...wanted.properties, ...more])],
})

/** A draft has no headers. Its future In-Reply-To is in a property of its own (PidTagInReplyToId). */
const answered = "singleValueExtendedProperties($filter=id eq 'String 0x1042')"

/** The query parameters for a selection. */
export function queryOf(wanted: MessageQuery): Record<string, string> {
  const expanded = [
    ...(wanted.attachments ? [`attachments($select=${attachmentFields})`] : []),
    ...(wanted.answered ? [answered] : []),
  ]
  return {
    $select: wanted.properties.join(','),
    ...(expanded.length > 0 ? { $expand: expanded.join(',') } : {}),
  }
}

/** HTML is returned as it was sent, as for every provider. Graph would otherwise remove active content. */
export const asSent = ['outlook.allow-unsafe-html']
