/** Notifications of changes: by a stream, or by polling. */
import {
  boolean,
  choice,
  element,
  enumeration,
  integer,
  list,
  message,
  repeatedInline,
  required,
  requiredInline,
  sequence,
  text,
  type ValueOf,
} from '../soap/description.ts'
import { operation } from '../soap/operation.ts'
import { folderIds } from '../types/ids.ts'

const eventTypes = [
  'CopiedEvent',
  'CreatedEvent',
  'DeletedEvent',
  'ModifiedEvent',
  'MovedEvent',
  'NewMailEvent',
] as const
export const allEventTypes = [...eventTypes]

const subscribing = {
  FolderIds: folderIds,
  EventTypes: required(list('EventType', enumeration(eventTypes))),
}
const allFolders = { SubscribeToAllFolders: boolean }

/** A streaming subscription lasts half an hour beyond its last connection, a polled one `Timeout` minutes. */
export const Subscribe = operation({
  name: 'Subscribe',
  request: message({
    Request: requiredInline(
      choice({
        PullSubscriptionRequest: element({
          attributes: allFolders,
          places: { ...subscribing, Timeout: required(integer) },
        }),
        StreamingSubscriptionRequest: element({ attributes: allFolders, places: subscribing }),
      }),
    ),
  }),
  answer: message({ SubscriptionId: text, Watermark: text }),
})

export const Unsubscribe = operation({
  name: 'Unsubscribe',
  request: message({ SubscriptionId: required(text) }),
  answer: message({}),
})

/** Of an event only its existence is read, and the watermark after it. */
const event = sequence({ Watermark: text })
const notification = sequence({
  SubscriptionId: text,
  MoreEvents: boolean,
  Events: repeatedInline(
    choice({
      CopiedEvent: event,
      CreatedEvent: event,
      DeletedEvent: event,
      ModifiedEvent: event,
      MovedEvent: event,
      NewMailEvent: event,
      StatusEvent: event,
      FreeBusyChangedEvent: event,
    }),
  ),
})

export const GetEvents = operation({
  name: 'GetEvents',
  // Events are returned once, so a retry would lose those of the lost answer.
  reads: false,
  request: message({ SubscriptionId: required(text), Watermark: required(text) }),
  answer: message({ Notification: notification }),
})

const streamed = message({
  Notifications: list('Notification', notification, 'm'),
  ErrorSubscriptionIds: list('SubscriptionId', text),
  ConnectionStatus: enumeration(['OK', 'Closed']),
})
export type StreamedEvents = ValueOf<typeof streamed>

/** The answer continues for `ConnectionTimeout` minutes; each part of it is a document of its own. */
export const GetStreamingEvents = operation({
  name: 'GetStreamingEvents',
  request: message({
    SubscriptionIds: required(list('SubscriptionId', text)),
    ConnectionTimeout: required(integer),
  }),
  answer: streamed,
})
