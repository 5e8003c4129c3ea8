/** The rooms of an organization: Exchange has lists of rooms, and shows the names and addresses of what they hold. */
import type { RoomResource } from '@waypost/contract'
import { z } from 'zod'
import type { Operations } from '../../operations.ts'
import { EwsError, isMissing } from '../errors.ts'
import { GetRoomLists, GetRooms } from '../operations/calendar.ts'
import type { Session } from '../session.ts'
import type { Mailbox } from '../types/mailbox.ts'

/** A page begins after an address. */
const Position = z.string()

/** So many lists are read at a time. */
const listsAtOnce = 4

const addressOf = ({ EmailAddress = '' }: Mailbox): string => EmailAddress.toLowerCase()

/** A list that is gone, or not for everybody, has no rooms. */
async function roomsOf(session: Session, list: Mailbox): Promise<Mailbox[]> {
  const [answer] = await session.each(GetRooms, { RoomList: { EmailAddress: list.EmailAddress ?? '' } })
  if (answer instanceof EwsError) {
    if (isMissing(answer) || answer.code === 'provider_refused') return []
    throw answer
  }
  return (answer?.Rooms ?? []).flatMap(({ Id }) => (Id?.EmailAddress ? [Id] : []))
}

/** All rooms, each once, in the order of their addresses. */
async function allRooms(session: Session): Promise<Mailbox[]> {
  const { RoomLists = [] } = await session.call(GetRoomLists, {})
  const rooms = new Map<string, Mailbox>()
  for (let first = 0; first < RoomLists.length; first += listsAtOnce) {
    const some = await Promise.all(RoomLists.slice(first, first + listsAtOnce).map((list) => roomsOf(session, list)))
    for (const room of some.flat()) rooms.set(addressOf(room), room)
  }
  return [...rooms].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, room]) => room)
}

const fromRoom = ({ Name, EmailAddress = '' }: Mailbox, grantId: string): RoomResource => ({
  object: 'room_resource',
  grant_id: grantId,
  email: EmailAddress,
  name: Name || EmailAddress,
})

export const roomResources: Operations<Session>['roomResources'] = {
  async list(session, query, position) {
    const rooms = await allRooms(session)
    const after = position === undefined ? undefined : Position.parse(position)
    const left = after === undefined ? rooms : rooms.filter((room) => addressOf(room) > after)
    const shown = left.slice(0, query.limit)
    const items = shown.map((room) => fromRoom(room, session.grant.id))
    const last = shown.at(-1)
    return last && shown.length < left.length ? { items, next: addressOf(last) } : { items }
  },
}
