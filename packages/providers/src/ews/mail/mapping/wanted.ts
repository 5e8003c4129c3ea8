/** The properties of Exchange that each field of a message needs. */

import type { MessageFields } from '@waypost/contract'
import type { FieldsQuery } from '../../../mail/exchange/mail-api.ts'
import type { Server } from '../../soap/known-servers.ts'
import { type FieldUri, field, type Path, property } from '../../types/paths.ts'
import type { ItemShape } from '../../types/shapes.ts'
import { namePaths } from './names.ts'
import { conversation, flagStatus, senderSmtpAddress } from './properties.ts'

/** Fields of messages, and other things that can be requested. */
export type WantedField =
  | keyof typeof paths
  | 'snippet'
  /** All headers, or those that define threads. */
  | 'headers'
  | 'basic_headers'

export interface MessageQuery {
  fields: ReadonlySet<WantedField>
}

const named = (...uris: readonly FieldUri[]): readonly Path[] => uris.map(field)

const paths = {
  thread_id: [...named('item:ConversationId'), property(conversation)],
  subject: named('item:Subject'),
  from: [...named('message:From', 'message:Sender'), property(senderSmtpAddress)],
  to: named('message:ToRecipients'),
  cc: named('message:CcRecipients'),
  bcc: named('message:BccRecipients'),
  reply_to: named('message:ReplyTo'),
  unread: named('message:IsRead'),
  starred: [property(flagStatus)],
  body: named('item:Body'),
  folders: named('item:ParentFolderId'),
  attachments: named('item:Attachments'),
  in_reply_to: named('item:InReplyTo'),
  has_attachments: named('item:HasAttachments'),
  size: named('item:Size'),
  date: named('item:DateTimeSent', 'item:DateTimeCreated'),
} as const

const isField = (name: string): name is keyof typeof paths => Object.hasOwn(paths, name)

const basic = named('message:InternetMessageId', 'item:InReplyTo', 'message:References')

const pathsOf = (name: WantedField, server: Server): readonly Path[] => {
  if (name === 'headers') return [...named('item:InternetMessageHeaders'), ...basic]
  if (name === 'basic_headers') return basic
  // Before Exchange 2013 servers have no preview, so it is made from the text.
  if (name === 'snippet') return named(server.since('Exchange2013') ? 'item:Preview' : 'item:Body')
  return paths[name]
}

/** The shape for a selection. */
export function shapeOf({ fields }: MessageQuery, server: Server): ItemShape {
  const all = [...namePaths, ...[...fields].flatMap((name) => pathsOf(name, server))]
  const once = new Map(all.map((path) => [JSON.stringify(path), path]))
  return { BaseShape: 'IdOnly', BodyType: 'Best', AdditionalProperties: [...once.values()] }
}

export const wantedFields = (...fields: readonly WantedField[]): MessageQuery => ({ fields: new Set(fields) })

const light: readonly WantedField[] = [
  'thread_id',
  'subject',
  'from',
  'to',
  'cc',
  'bcc',
  'unread',
  'starred',
  'folders',
]

/** The fields for filters and threads: all except texts. */
export const envelope: MessageQuery = wantedFields(...light, 'has_attachments', 'date')
const all: readonly WantedField[] = [...light, 'reply_to', 'in_reply_to', 'attachments', 'snippet', 'body', 'date']
export const standard: MessageQuery = wantedFields(...all)
export const nothingButNames: MessageQuery = wantedFields()

/** The fields that FindItem returns like GetItem. It truncates texts, and omits people, contents and files. */
const inRows: ReadonlySet<WantedField> = new Set([
  'thread_id',
  'unread',
  'starred',
  'folders',
  'has_attachments',
  'date',
  'size',
])
export const isInRows = ({ fields }: MessageQuery): boolean => fields.isSubsetOf(inRows)
export const rows: MessageQuery = { fields: new Set([...inRows, 'subject']) }

/** The smallest selection for the requested fields. */
export function wantedOf({ fields, select }: FieldsQuery): MessageQuery {
  const isWhole = !select || select.length === 0
  const chosen = isWhole ? all : select.flatMap((name): WantedField[] => chosenBy(name))
  return { fields: new Set([...chosen, ...headersFor(fields, isWhole || select.includes('headers'))]) }
}

const chosenBy = (name: string): WantedField[] => (name === 'snippet' || isField(name) ? [name] : [])

function headersFor(fields: MessageFields | undefined, isShown: boolean): WantedField[] {
  if (!isShown) return []
  if (fields === 'include_headers') return ['headers']
  return fields === 'include_basic_headers' ? ['basic_headers'] : []
}

export const withFields = ({ fields }: MessageQuery, more: Iterable<WantedField>): MessageQuery => ({
  fields: new Set([...fields, ...more]),
})
