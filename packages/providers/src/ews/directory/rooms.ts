/** The rooms of an organization: Exchange has room lists, with the names and addresses of rooms. */
import type { RoomResource } from '@waypost/contract'
import type { Operations } from '../../operations.ts'
import { pageByKey } from '../../shared/key-pages.ts'
import { EwsError, isMissing } from '../errors.ts'
import { GetRoomLists, GetRooms } from '../operations/calendar.ts'
import type { Session } from '../session.ts'
import type { Mailbox } from '../types/ids.ts'

/** Lists that are read concurrently. */
const listsAtOnce = 4

const addressOf = ({ EmailAddress = '' }: Mailbox): string => EmailAddress.toLowerCase()

/** A list that was deleted, or is not accessible, has no rooms. */
async function roomsOf(session: Session, list: Mailbox): Promise<Mailbox[]> {
  const [answer] = await session.each(GetRooms, { RoomList: { EmailAddress: list.EmailAddress ?? '' } })
  if (answer instanceof EwsError) {
    if (isMissing(answer) || answer.code === 'provider_refused') return []
    throw answer
  }
  return (answer?.Rooms ?? []).flatMap(({ Id }) => (Id?.EmailAddress ? [Id] : []))
}

/** All rooms, each once. */
async function allRooms(session: Session): Promise<Mailbox[]> {
  const { RoomLists = [] } = await session.call(GetRoomLists, {})
  const rooms = new Map<string, Mailbox>()
  for (let first = 0; first < RoomLists.length; first += listsAtOnce) {
    const some = await Promise.all(RoomLists.slice(first, first + listsAtOnce).map((list) => roomsOf(session, list)))
    for (const room of some.flat()) rooms.set(addressOf(room), room)
  }
  return [...rooms.values()]
}

const fromRoom = ({ Name, EmailAddress = '' }: Mailbox, grantId: string): RoomResource => ({
  object: 'room_resource',
  grant_id: grantId,
  email: EmailAddress,
  name: Name || EmailAddress,
})

export const roomResources: Operations<Session>['roomResources'] = {
  async list(session, query, position) {
    const { items, ...next } = pageByKey(await allRooms(session), addressOf, { position, limit: query.limit })
    return { items: items.map((room) => fromRoom(room, session.grant.id)), ...next }
  },
}
