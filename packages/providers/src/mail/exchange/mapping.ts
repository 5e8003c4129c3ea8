/** Objects of Exchange as objects of the API: what Graph and EWS name differently and mean alike. */
import type { Attachment, EmailName, Folder } from '@waypost/contract'
import { bareContentId, itemFilename } from '../attachments.ts'
import { wordsOf } from '../filters.ts'
import { type Filters, oneLine } from '../search.ts'

/** The special-use attributes of folders that every mailbox has, by their names in Graph and EWS. */
export const folderUses = {
  inbox: '\\Inbox',
  sentitems: '\\Sent',
  drafts: '\\Drafts',
  deleteditems: '\\Trash',
  junkemail: '\\Junk',
} as const

/** Seconds as both APIs write times. */
export const timeText = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`

/** Exchange uses the address as the name of a person without a name. */
export const personOf = (name: string | undefined, email: string): EmailName =>
  name && name.toLowerCase() !== email.toLowerCase() ? { name, email } : { email }

export interface ExchangeFolder {
  id: string
  parentId: string | undefined
  name: string
  total: number | undefined
  unread: number | undefined
  children: number | undefined
}

/** A folder of the API; `attribute` is its special use. */
export const folderFrom = (folder: ExchangeFolder, grantId: string, attribute: string | undefined): Folder => ({
  id: folder.id,
  grant_id: grantId,
  object: 'folder',
  name: folder.name,
  attributes: attribute === undefined ? [] : [attribute],
  ...(folder.parentId === undefined ? {} : { parent_id: folder.parentId }),
  ...(folder.children === undefined ? {} : { child_count: folder.children }),
  ...(folder.total === undefined ? {} : { total_count: folder.total }),
  ...(folder.unread === undefined ? {} : { unread_count: folder.unread }),
})

export interface ExchangeAttachment {
  id: string
  name: string | undefined
  contentType: string | undefined
  isInline: boolean | undefined
  contentId: string | undefined
  /** An item of a mailbox, such as a forwarded message. */
  isItem: boolean
}

/** An attachment of the API. Exchange reports the size of what it stores, which is more than the file, so `size` is absent. */
export function attachmentFrom(attachment: ExchangeAttachment, grantId: string): Attachment {
  const { id, name, contentType, isInline = false, contentId, isItem } = attachment
  return {
    id,
    grant_id: grantId,
    filename: name ? (isItem ? itemFilename(name) : name) : null,
    content_type: contentType || (isItem ? 'message/rfc822' : 'application/octet-stream'),
    is_inline: isInline,
    ...(contentId ? { content_id: bareContentId(contentId) } : {}),
    content_disposition: isInline ? 'inline' : 'attachment',
  }
}

const quotedWord = (text: string): string => `"${oneLine(text)}"`

const eitherOf = (property: string, addresses: readonly string[] | undefined): string[] => {
  const terms = (addresses ?? []).map((address) => `${property}:${quotedWord(address)}`)
  return terms.length === 0 ? [] : [terms.length === 1 ? terms.join('') : `(${terms.join(' OR ')})`]
}

export const isGiven = (addresses: readonly string[] | undefined): boolean => (addresses?.length ?? 0) > 0

/** Whether filters name texts or recipients, which only the search index contains. */
export const needsWords = ({ q, to, cc, bcc, any_email }: Filters): boolean =>
  q !== undefined || [to, cc, bcc, any_email].some(isGiven)

/** The terms of a search in the syntax that Graph (KQL) and EWS (AQS) share; joined with AND. */
export const searchTerms = (filters: Filters): string[] => [
  ...wordsOf(filters.q ?? '').map(quotedWord),
  ...eitherOf('to', filters.to),
  ...eitherOf('cc', filters.cc),
  ...eitherOf('bcc', filters.bcc),
  ...eitherOf('from', filters.from),
  ...eitherOf('participants', filters.any_email),
]

/** The addresses in a list such as `SMTP:ada@example.com`, without the account's own address. */
export function aliasesIn(values: readonly string[], own: string): string[] {
  const addresses = values.flatMap((each) => /^(?:smtp:)?([^\s:@]+@[^\s:@]+)$/i.exec(each)?.[1] ?? [])
  const once = new Map(addresses.map((address) => [address.toLowerCase(), address]))
  once.delete(own.toLowerCase())
  return [...once.values()]
}
