/**
 * The ids of messages. Exchange gives an item another id when it is moved; what stays is its search key, which stands behind
 * the id of the item. Mail that somebody sends to themselves within an organization has one search key for the copy that was
 * sent and for the one that came: the second at which it was received tells them apart. Of a draft that time changes whenever
 * it is saved, so that it has none.
 */
import { messageId, messagePlace, ourId, theirId } from '../../ids.ts'
import type { MessageItem } from '../../types/message.ts'
import { field, type Path, propertyBytes } from '../../types/paths.ts'
import { asPath, conversation, searchKey } from './properties.ts'

/** What must be asked of a message, so that it can be named. */
export const namePaths: readonly Path[] = [field('item:DateTimeReceived'), field('item:IsDraft'), asPath(searchKey)]

const withDate = 1
const withoutDate = 0
const dateBytes = 4

/** Seconds; 0 where it was never received. */
export const receivedOf = ({ DateTimeReceived: at }: Pick<MessageItem, 'DateTimeReceived'>): number =>
  at === undefined ? 0 : Math.floor(at / 1000)

/** What stays with a message over moves, as a name: absent where the server gives no search key. */
export function lastingName(item: MessageItem): Buffer | undefined {
  const key = propertyBytes(item.ExtendedProperty, searchKey)
  if (key === undefined || key.length === 0) return undefined
  if (item.IsDraft) return Buffer.concat([Buffer.from([withoutDate]), key])
  const date = Buffer.alloc(dateBytes)
  date.writeUInt32BE(Math.max(receivedOf(item), 0) % 2 ** 32)
  return Buffer.concat([Buffer.from([withDate]), key, date])
}

/** The search key within a lasting name; undefined where it is no such name. */
export function keyIn(name: Buffer): Buffer | undefined {
  const [form] = name
  const key = form === withDate ? name.subarray(1, -dateBytes) : form === withoutDate ? name.subarray(1) : undefined
  return key && key.length > 0 ? key : undefined
}

/** The second within a lasting name, where it has one. */
export const dateIn = (name: Buffer): number | undefined =>
  name[0] === withDate && name.length > dateBytes + 1 ? name.readUInt32BE(name.length - dateBytes) : undefined

/** The id of the item in Exchange's own writing. */
export const itemIdOf = ({ ItemId }: Pick<MessageItem, 'ItemId'>): string => ItemId?.Id ?? ''

/** The id of a message as the API shows it. */
export const idOf = (item: MessageItem): string => messageId({ itemId: itemIdOf(item), searchKey: lastingName(item) })

/** What a message is told from others by in a list, also when it is moved meanwhile. */
export const placeOf = (item: MessageItem): { id: string; date: number } => ({
  id: lastingName(item)?.toString('base64url') ?? itemIdOf(item),
  date: receivedOf(item),
})

/** What an id of the API says of a message: which item it was, and what stays with it; one of them at least. */
export interface MessageName {
  itemId?: string | undefined
  lasting?: Buffer | undefined
}

/** What is kept of a message is kept under what stays with it alone: a dot, and no item before it. */
const lastingMark = '.'

/** What stands behind a dot alone. */
function keyAlone(id: string): Buffer | undefined {
  const key = id.startsWith(lastingMark) ? Buffer.from(id.slice(lastingMark.length), 'base64url') : undefined
  return key && key.length > 0 && `${lastingMark}${key.toString('base64url')}` === id ? key : undefined
}

export function messageName(id: string): MessageName | undefined {
  const alone = keyAlone(id)
  if (alone) return { lasting: alone }
  const place = messagePlace(id)
  return place && { itemId: place.itemId, lasting: place.searchKey }
}

/** An id that stays the same wherever the message is moved; where the server gives no search key, the one that it has. */
export function lastingId(id: string): string {
  const { lasting } = messageName(id) ?? {}
  return lasting ? `${lastingMark}${lasting.toString('base64url')}` : id
}

/** A conversation: its name in EWS, and the property that its messages can be found by. */
export interface ThreadName {
  id: string
  key?: Buffer | undefined
}

/** The id of a thread; both names of a conversation stay the same. */
export function threadIdOf(item: MessageItem): string {
  const id = item.ConversationId?.Id
  const key = propertyBytes(item.ExtendedProperty, conversation)
  if (id === undefined) return key === undefined ? '' : `${lastingMark}${key.toString('base64url')}`
  return messageId({ itemId: id, searchKey: key })
}

export function threadName(threadId: string): ThreadName | undefined {
  const alone = keyAlone(threadId)
  if (alone) return { id: '', key: alone }
  const place = messagePlace(threadId)
  return place && { id: place.itemId, key: place.searchKey }
}

/** The id of a folder as the API shows it, and back. */
export const folderIdOf = ourId
export const folderOfId = theirId
