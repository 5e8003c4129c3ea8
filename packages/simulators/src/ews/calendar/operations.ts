// Operations that do not concern items: the time zones of the server, and the rooms of the organization.
import type { EwsCall } from '../model.ts'
import { answerOne, answerWhole } from '../soap/answers.ts'
import { EwsError } from '../soap/errors.ts'
import { childOf, childrenOf, textOf } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'
import { placesOf } from './places.ts'
import { zoneIds, zoneOfId, zoneXml } from './zones-xml.ts'

/** Unknown ids are omitted. */
export function getServerTimeZones(call: EwsCall): Promise<Xml> {
  return answerOne(call, () => {
    const { request, world } = call
    const ids = childOf(request, 'Ids')
    const wanted = ids === undefined ? zoneIds : childrenOf(ids, 'Id').map(({ text }) => text.trim())
    const full = request.attributes.ReturnFullTimeZoneData !== 'false'
    const year = new Date(world.now()).getUTCFullYear()
    const zones = zoneIds.filter((id) => wanted.includes(id)).map(zoneOfId)
    return [
      element(
        'm:TimeZoneDefinitions',
        zones.map((zone) => zoneXml('t:TimeZoneDefinition', zone, { year, full })),
      ),
    ]
  })
}

function addressXml(tag: string, { name, email }: { name: string; email: string }, mailboxType: string): Xml {
  return element(tag, [
    element('t:Name', name),
    element('t:EmailAddress', email),
    element('t:RoutingType', 'SMTP'),
    element('t:MailboxType', mailboxType),
  ])
}

export function getRoomLists(call: EwsCall): Promise<Xml> {
  return answerWhole(call, () => [
    element(
      'm:RoomLists',
      placesOf(call.world).lists.map((list) => addressXml('t:Address', list, 'PublicDL')),
    ),
  ])
}

export function getRooms(call: EwsCall): Promise<Xml> {
  return answerWhole(call, () => {
    const wanted = (textOf(childOf(call.request, 'RoomList'), 'EmailAddress') ?? '').toLowerCase()
    const { rooms, lists } = placesOf(call.world)
    const list = lists.find(({ email }) => email.toLowerCase() === wanted)
    if (list === undefined) throw new EwsError('ErrorNameResolutionNoResults', 'No results were found.')
    const listed = rooms.filter((room) => room.list?.toLowerCase() === wanted)
    return [
      element(
        'm:Rooms',
        listed.map((room) => element('t:Room', [addressXml('t:Id', room, 'Mailbox')])),
      ),
    ]
  })
}
