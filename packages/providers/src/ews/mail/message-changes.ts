/** How messages are marked, moved and deleted. A moved message gets another id, which the answers contain. */
import { folderIn, noSuchTarget } from '../../mail/one-folder.ts'
import type { MailChange } from '../../operations.ts'
import { EwsError, isMissing } from '../errors.ts'
import { DeleteItem, MoveItem, UpdateItem } from '../operations/items.ts'
import type { Server } from '../soap/known-servers.ts'
import { deleteField, type ItemUpdate, setField } from '../types/changes.ts'
import { folder, type ItemId, item as itemRef } from '../types/ids.ts'
import { field, property } from '../types/paths.ts'
import { isDenied, type Mailbox, type MailItem, orNotFound, wellKnownIds } from './mail-api.ts'
import { isStarred } from './mapping/message.ts'
import { folderOfId, itemIdOf, lastingName } from './mapping/names.ts'
import { flagged, flagStatus } from './mapping/properties.ts'
import { wantedFields } from './mapping/wanted.ts'
import { readMessage } from './reading.ts'
import { refind } from './refinding.ts'

/** The marks of a message that a change sets to another value. */
interface Marks {
  unread?: boolean
  starred?: boolean
}

function marksOf(item: MailItem, { unread, starred }: MailChange): Marks {
  return {
    ...(unread === undefined || unread === (item.IsRead === false) ? {} : { unread }),
    ...(starred === undefined || starred === isStarred(item) ? {} : { starred }),
  }
}

/** The flag of a message. Before Exchange 2013 it is an unnamed property. */
export function flagFields(starred: boolean, server: Server): Pick<MailItem, 'Flag' | 'ExtendedProperty'> {
  if (server.since('Exchange2013')) return { Flag: { FlagStatus: starred ? 'Flagged' : 'NotFlagged' } }
  return starred ? { ExtendedProperty: [{ ExtendedFieldURI: flagStatus, Value: `${flagged}` }] } : {}
}

function updatesFor({ kind }: MailItem, { unread, starred }: Marks, server: Server): ItemUpdate[] {
  // An item of an unknown kind is a message in the schema.
  const as = kind === 'Item' ? 'Message' : kind
  const flag = starred === undefined ? {} : flagFields(starred, server)
  return [
    ...(unread === undefined ? [] : [setField(field('message:IsRead'), { kind: as, IsRead: !unread })]),
    ...(starred === undefined
      ? []
      : flag.Flag
        ? [setField(field('item:Flag'), { kind: as, ...flag })]
        : starred
          ? [setField(property(flagStatus), { kind: as, ...flag })]
          : [deleteField(property(flagStatus))]),
  ]
}

/** A message with changed marks. */
function marked(item: MailItem, { unread, starred }: Marks): MailItem {
  const others = (item.ExtendedProperty ?? []).filter(
    ({ ExtendedFieldURI: { PropertyTag: at } }) => Number(at) !== Number(flagStatus.PropertyTag),
  )
  const status = { ExtendedFieldURI: flagStatus, Value: starred ? `${flagged}` : '0' }
  return {
    ...item,
    ...(unread === undefined ? {} : { IsRead: !unread }),
    ...(starred === undefined ? {} : { ExtendedProperty: [...others, status] }),
  }
}

/** Marks messages with one call. */
export async function markAll(
  { session }: Mailbox,
  items: readonly MailItem[],
  change: MailChange,
): Promise<MailItem[]> {
  const changes = items.map((item) => ({ item, marks: marksOf(item, change) }))
  const real = changes.filter(({ marks }) => Object.keys(marks).length > 0)
  if (real.length > 0) {
    const answers = await session.each(UpdateItem, (server) => ({
      ConflictResolution: 'AlwaysOverwrite' as const,
      MessageDisposition: 'SaveOnly' as const,
      ItemChanges: real.map(({ item, marks }) => ({
        Id: itemRef(itemIdOf(item)),
        Updates: updatesFor(item, marks, server),
      })),
    }))
    for (const answer of answers) if (answer instanceof EwsError) throw answer
  }
  return changes.map(({ item, marks }) => marked(item, marks))
}

/** The folder that a change names; an invalid id is an error in the request. */
export function targetIn(change: Pick<MailChange, 'folders'>): string | undefined {
  const named = folderIn(change, 'Exchange')
  if (named === undefined) return undefined
  const theirs = folderOfId(named)
  if (!theirs) throw noSuchTarget()
  return theirs
}

/** The message existed a moment ago, so what is missing is the folder. */
const badTarget = (error: unknown): unknown => (isMissing(error) || isDenied(error) ? noSuchTarget() : error)

/** Moves messages with one call. */
export async function moveAll(mailbox: Mailbox, items: readonly MailItem[], folderId: string): Promise<MailItem[]> {
  const moving = items.filter(({ ParentFolderId }) => ParentFolderId?.Id !== folderId)
  if (moving.length === 0) return [...items]
  // The new ids are returned by default. Some servers treat an explicit request for them as declining them.
  const request = { ToFolderId: folder(folderId), ItemIds: moving.map((item) => itemRef(itemIdOf(item))) }
  const answers = await mailbox.session.each(MoveItem, request).catch((error: unknown) => {
    throw badTarget(error)
  })
  const ids = moving.map((_, place) => {
    const answer = answers[place]
    if (answer instanceof EwsError) throw badTarget(answer)
    return answer?.Items?.[0]?.ItemId
  })
  const named = await withIds(mailbox, moving, ids)
  const moved = new Map(
    moving.map((item, place) => {
      const ItemId = named[place] ?? item.ItemId
      return [item, { ...item, ItemId, ParentFolderId: { Id: folderId } }] as const
    }),
  )
  return items.map((item) => moved.get(item) ?? item)
}

/** The ids of messages after a move. If the server returns none, they are searched by their lasting names. */
async function withIds(
  mailbox: Mailbox,
  items: readonly MailItem[],
  ids: readonly (ItemId | undefined)[],
): Promise<(ItemId | undefined)[]> {
  const names = items.map((item, place) => (ids[place] ? undefined : lastingName(item)))
  const lost = names.flatMap((name) => name ?? [])
  if (lost.length === 0) return [...ids]
  const found = await refind(mailbox, lost)
  return ids.map((id, place) => {
    const itemId = found.get(names[place]?.toString('base64url') ?? '')
    return id ?? (itemId === undefined ? undefined : { Id: itemId })
  })
}

const whereabouts = wantedFields('folders')

/** The id of Deleted Items. */
export async function trashOf(mailbox: Mailbox): Promise<string> {
  const id = (await wellKnownIds(mailbox)).get('deleteditems')
  if (id === undefined) throw noSuchTarget()
  return id
}

/** Deletes an item permanently. */
export async function removeItem({ session }: Mailbox, itemId: string): Promise<void> {
  await session.call(DeleteItem, { DeleteType: 'HardDelete', ItemIds: [itemRef(itemId)] })
}

/** Deletes a message or draft that a client names. */
export async function removeForEver(mailbox: Mailbox, what: 'message' | 'draft', id: string): Promise<void> {
  const item = await readMessage(mailbox, id, whereabouts, what)
  await orNotFound(what, () => removeItem(mailbox, itemIdOf(item)))
}
