/**
 * The ids of messages. A moved item gets another id at Exchange; its search key stays and follows the item id. A
 * message that a user sends to themselves has the same search key in Sent Items and in the inbox. The second of its
 * receipt tells the copies apart. For a draft that time changes with each save, so a draft has none.
 */
import { messageId, messagePlace, ourId, theirId } from '../../ids.ts'
import type { MessageItem } from '../../types/message.ts'
import { field, type Path, property, propertyBytes } from '../../types/paths.ts'
import { conversation, searchKey } from './properties.ts'

/** The fields that are needed to name a message. */
export const namePaths: readonly Path[] = [field('item:DateTimeReceived'), field('item:IsDraft'), property(searchKey)]

const withDate = 1
const withoutDate = 0
const dateBytes = 4

/** Seconds; 0 if it was never received. */
export const receivedOf = ({ DateTimeReceived: at }: Pick<MessageItem, 'DateTimeReceived'>): number =>
  at === undefined ? 0 : Math.floor(at / 1000)

/** The lasting name of a message, which stays when it is moved; undefined if the server returns no search key. */
export function lastingName(item: MessageItem): Buffer | undefined {
  const key = propertyBytes(item.ExtendedProperty, searchKey)
  if (key === undefined || key.length === 0) return undefined
  if (item.IsDraft) return Buffer.concat([Buffer.from([withoutDate]), key])
  const date = Buffer.alloc(dateBytes)
  date.writeUInt32BE(Math.max(receivedOf(item), 0) % 2 ** 32)
  return Buffer.concat([Buffer.from([withDate]), key, date])
}

/** The search key in a lasting name; undefined if the name is invalid. */
export function keyIn(name: Buffer): Buffer | undefined {
  const [form] = name
  const key = form === withDate ? name.subarray(1, -dateBytes) : form === withoutDate ? name.subarray(1) : undefined
  return key && key.length > 0 ? key : undefined
}

/** The second in a lasting name, if it has one. */
export const dateIn = (name: Buffer): number | undefined =>
  name[0] === withDate && name.length > dateBytes + 1 ? name.readUInt32BE(name.length - dateBytes) : undefined

/** Exchange's id of the item. */
export const itemIdOf = ({ ItemId }: Pick<MessageItem, 'ItemId'>): string => ItemId?.Id ?? ''

/** The id of a message in the API. */
export const idOf = (item: MessageItem): string => messageId({ itemId: itemIdOf(item), searchKey: lastingName(item) })

/** Identifies a message in a list, also if it is moved meanwhile. */
export const placeOf = (item: MessageItem): { id: string; date: number } => ({
  id: lastingName(item)?.toString('base64url') ?? itemIdOf(item),
  date: receivedOf(item),
})

/** The parts of a message id: the item, the lasting name, or both. */
export interface MessageName {
  itemId?: string | undefined
  lasting?: Buffer | undefined
}

/** The service stores data of a message under its lasting name alone: a dot without an item id before it. */
const lastingMark = '.'

/** The lasting name in an id of that form. */
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

/** An id that stays the same when the message is moved; the id itself if the server returns no search key. */
export function lastingId(id: string): string {
  const { lasting } = messageName(id) ?? {}
  return lasting ? `${lastingMark}${lasting.toString('base64url')}` : id
}

/** A conversation: its id in EWS, and the property by which its messages can be found. */
export interface ThreadName {
  id: string
  key?: Buffer | undefined
}

/** The id of a thread. Both names of a conversation stay the same. */
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

/** Maps a folder id to the API, and back. */
export const folderIdOf = ourId
export const folderOfId = theirId
