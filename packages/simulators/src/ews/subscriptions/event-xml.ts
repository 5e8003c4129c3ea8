// Events in notifications. They name the changed objects; as at Exchange, their change keys are not usable.
import type { EventPlace, MailboxEvent } from '../events.ts'
import type { EwsCall } from '../model.ts'
import { timeText } from '../soap/times.ts'
import { element, optional, type Xml } from '../xml/write.ts'
import type { StoredSubscription, WaitingEvent } from './stored.ts'

/** The maximum number of events in one notification. */
export const maxNotified = 50

const head = Buffer.from([1, 0, 0, 0])

export function writeWatermark(number: number): string {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(number))
  return Buffer.concat([head, bytes]).toString('base64')
}

/** Undefined if the text is not a watermark. */
export function readWatermark(text: string): number | undefined {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== 12 || !bytes.subarray(0, 4).equals(head) || bytes.toString('base64') !== text) return undefined
  return Number(bytes.readBigUInt64BE(4))
}

/** `<t:ModifiedEvent>` and so on; events of pull subscriptions have a watermark. */
export function eventXml(call: EwsCall, { event, number }: WaitingEvent, hasWatermark: boolean): Xml {
  const { type, of, at, place, old, unreadCount } = event
  return element(`t:${type}`, [
    hasWatermark ? element('t:Watermark', writeWatermark(number)) : undefined,
    element('t:TimeStamp', timeText(call, at)),
    ...placeXml(place, of, ''),
    ...(old === undefined ? [] : placeXml(old, of, 'Old')),
    type === 'ModifiedEvent' ? optional('t:UnreadCount', unreadCount) : undefined,
  ])
}

function placeXml({ id, parent }: EventPlace, of: MailboxEvent['of'], prefix: 'Old' | ''): Xml[] {
  const folder = { ChangeKey: 'AQAAAA==' }
  return [
    of === 'item'
      ? element(`t:${prefix}ItemId`, { Id: id, ChangeKey: 'CQAAAA==' })
      : element(`t:${prefix}FolderId`, { Id: id, ...folder }),
    element(`t:${prefix}ParentFolderId`, { Id: parent?.id ?? id, ...folder }),
  ]
}

/** `Notification` of a streaming subscription; without events it contains a status event as a heartbeat. */
export function streamedNotification(call: EwsCall, { id }: StoredSubscription, events: readonly WaitingEvent[]): Xml {
  const reported =
    events.length === 0 ? [element('t:StatusEvent')] : events.map((event) => eventXml(call, event, false))
  return element('t:Notification', [element('t:SubscriptionId', id), ...reported])
}
