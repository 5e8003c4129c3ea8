/** Reads messages by id, many with one call and also if they were moved, and the bytes of messages. */

import type { Message, MessageFields } from '@waypost/contract'
import type { Source } from '../../mail/exchange/mail-api.ts'
import { isTooLarge } from '../../shared/exchange.ts'
import { notFound } from '../../shared/named-objects.ts'
import { inGroups } from '../../shared/pieces.ts'
import { fillAddresses } from '../directory/addresses.ts'
import { type EwsError, isMissing } from '../errors.ts'
import { GetItem } from '../operations/items.ts'
import type { Server } from '../soap/known-servers.ts'
import { item } from '../types/ids.ts'
import { field } from '../types/paths.ts'
import { type ItemShape, idAnd } from '../types/shapes.ts'
import { isDenied, type Mailbox, type MailItem, mailIn } from './mail-api.ts'
import { fromItem } from './mapping/message.ts'
import { idOf, itemIdOf, type MessageName, messageName, namePaths } from './mapping/names.ts'
import { type MessageQuery, shapeOf, wantedFields } from './mapping/wanted.ts'
import { refind } from './refinding.ts'

const megabyte = 1024 * 1024
/** The maximum size of an answer with messages and their texts. */
const answerBytes = 48 * megabyte
/** Exchange stores messages of up to 150 MB; base64 adds a third. */
const sourceBytes = 210 * megabyte
const downloadMs = 120_000
const perCall = 100
/** Bytes of messages per request, by Exchange's sizes. */
const sourcesAtOnce = 16 * megabyte

export const messageOf = ({ session }: Mailbox, item: MailItem, fields: MessageFields = 'standard'): Message =>
  fromItem(item, { grantId: session.grant.id, fields, shown: session.io.shown })

type Shape = (server: Server) => ItemShape
interface Limits {
  maxBytes: number
  deadlineMs?: number
}

/** The answer for each item id: the message, the error, or undefined if it cannot be read. */
async function getItems(
  mailbox: Mailbox,
  itemIds: readonly string[],
  shape: Shape,
  limits: Limits,
): Promise<(MailItem | EwsError | undefined)[]> {
  if (itemIds.length > perCall) return inHalves(mailbox, itemIds, shape, limits)
  if (itemIds.length === 0) return []
  const ItemIds = itemIds.map((id) => item(id))
  try {
    const answers = await mailbox.session.each(GetItem, (server) => ({ ItemShape: shape(server), ItemIds }), limits)
    const items = itemIds.map((_, place) => {
      const answer = answers[place]
      return answer === undefined || answer instanceof Error ? answer : mailIn(answer.Items)[0]
    })
    await fillAddresses(
      mailbox.session,
      items.flatMap((each) => (each === undefined || each instanceof Error ? [] : [each])),
    )
    return items
  } catch (error) {
    if (!isTooLarge(error) || itemIds.length === 1) throw error
    return inHalves(mailbox, itemIds, shape, limits)
  }
}

async function inHalves(
  mailbox: Mailbox,
  itemIds: readonly string[],
  shape: Shape,
  limits: Limits,
): Promise<(MailItem | EwsError | undefined)[]> {
  const middle = itemIds.length > perCall ? perCall : Math.ceil(itemIds.length / 2)
  const first = await getItems(mailbox, itemIds.slice(0, middle), shape, limits)
  return [...first, ...(await getItems(mailbox, itemIds.slice(middle), shape, limits))]
}

/** The message of an answer; undefined if it does not exist. Any other error is thrown. */
function found({ sharedFrom }: Mailbox, answer: MailItem | EwsError | undefined): MailItem | undefined {
  if (!(answer instanceof Error)) return answer
  // An id of another mailbox is not an id of this one.
  if (isMissing(answer) || (sharedFrom === undefined && isDenied(answer))) return undefined
  throw answer
}

/** Reads listed items in their order. Items that were deleted meanwhile are left out. */
export async function readItems(
  mailbox: Mailbox,
  itemIds: readonly string[],
  wanted: MessageQuery,
): Promise<MailItem[]> {
  const shape: Shape = (server) => shapeOf(wanted, server)
  const answers = await getItems(mailbox, itemIds, shape, { maxBytes: answerBytes })
  return answers.flatMap((answer) => found(mailbox, answer) ?? [])
}

const texts = wantedFields('body')

export async function withTexts(mailbox: Mailbox, items: readonly MailItem[]): Promise<MailItem[]> {
  const read = await readItems(mailbox, items.map(itemIdOf), texts)
  const bodies = new Map(read.map((item) => [itemIdOf(item), item.Body]))
  return items.map((item) => ({ ...item, Body: bodies.get(itemIdOf(item)) ?? item.Body }))
}

/** Reads messages by their ids in the API, in their order. Moved ones are searched. */
async function readNamed(
  mailbox: Mailbox,
  ids: readonly string[],
  shape: Shape,
  limits: Limits,
): Promise<(MailItem | undefined)[]> {
  const names = ids.map((id) => messageName(id))
  const requested = names.flatMap((name) => name?.itemId ?? [])
  const answers = await getItems(mailbox, requested, shape, limits)
  const known = new Map(requested.map((itemId, order) => [itemId, found(mailbox, answers[order])]))
  const thereBy = (name: MessageName | undefined): MailItem | undefined => known.get(name?.itemId ?? '')
  const lost = names.flatMap((name) => (name?.lasting && !thereBy(name) ? [name.lasting] : []))
  if (lost.length === 0) return names.map(thereBy)
  const moved = await refind(mailbox, lost)
  const again = [...moved.values()]
  const read = await getItems(mailbox, again, shape, limits)
  const byItem = new Map(again.map((itemId, order) => [itemId, found(mailbox, read[order])]))
  return names.map((name) => {
    const key = name?.lasting?.toString('base64url') ?? ''
    return thereBy(name) ?? byItem.get(moved.get(key) ?? '')
  })
}

export const readMessages = (
  mailbox: Mailbox,
  ids: readonly string[],
  wanted: MessageQuery,
): Promise<(MailItem | undefined)[]> =>
  readNamed(mailbox, ids, (server) => shapeOf(wanted, server), { maxBytes: answerBytes })

export async function readMessage(
  mailbox: Mailbox,
  id: string,
  wanted: MessageQuery,
  what: 'message' | 'draft' = 'message',
): Promise<MailItem> {
  const [message] = await readMessages(mailbox, [id], wanted)
  if (!message) throw notFound(what)
  return message
}

/** A message with its bytes. */
export interface ItemSource extends Source {
  item: MailItem
}

const sourceShape: Shape = () => ({ ...idAnd(...namePaths, field('message:BccRecipients')), IncludeMimeContent: true })
const sourceLimits: Limits = { maxBytes: sourceBytes, deadlineMs: downloadMs }

const sourceOf = (item: MailItem): ItemSource[] =>
  item.MimeContent === undefined ? [] : [{ id: idOf(item), item, bytes: item.MimeContent.value }]

/** The bytes of a message. */
export async function readSource(
  mailbox: Mailbox,
  id: string,
  what: 'message' | 'draft' = 'message',
): Promise<ItemSource> {
  const [message] = await readNamed(mailbox, [id], sourceShape, sourceLimits)
  const [source] = message ? sourceOf(message) : []
  if (!source) throw notFound(what)
  return source
}

/**
 * The bytes of listed messages. Messages that were deleted meanwhile are left out. Large ones are read by themselves.
 */
export async function readSources(
  mailbox: Mailbox,
  items: readonly Pick<MailItem, 'ItemId' | 'Size'>[],
): Promise<ItemSource[]> {
  const sources: ItemSource[] = []
  for (const batch of inGroups(items, ({ Size }) => Size ?? megabyte, sourcesAtOnce)) {
    const answers = await getItems(mailbox, batch.map(itemIdOf), sourceShape, sourceLimits)
    sources.push(...answers.flatMap((answer) => found(mailbox, answer) ?? []).flatMap(sourceOf))
  }
  return sources
}
