/** The changes in a folder since a sync state, and notifications of changes by a stream. */
import {
  boolean,
  choice,
  element,
  enumeration,
  inline,
  integer,
  list,
  message,
  readableListOf,
  repeatedInline,
  required,
  requiredInline,
  sequence,
  text,
  type ValueOf,
} from '../soap/description.ts'
import { operation } from '../soap/operation.ts'
import { folderIds, itemId, targetFolder } from '../types/ids.ts'
import { anyItem } from '../types/items.ts'
import { itemShape } from '../types/shapes.ts'

const withItem = sequence({ Item: inline(anyItem) })
const change = choice({
  Create: withItem,
  Update: withItem,
  Delete: sequence({ ItemId: required(itemId) }),
  ReadFlagChange: sequence({ ItemId: required(itemId), IsRead: boolean }),
})
export type SyncChange = ValueOf<typeof change>

/** Without a state: all items of the folder, newest first from 2010 SP2 on. At most 512 changes per call. */
export const SyncFolderItems = operation({
  name: 'SyncFolderItems',
  reads: true,
  request: message({
    ItemShape: required(itemShape),
    SyncFolderId: required(targetFolder),
    SyncState: text,
    MaxChangesReturned: required(integer),
  }),
  answer: message({ SyncState: text, IncludesLastItemInRange: boolean, Changes: readableListOf(change) }),
})

const eventTypes = [
  'CopiedEvent',
  'CreatedEvent',
  'DeletedEvent',
  'ModifiedEvent',
  'MovedEvent',
  'NewMailEvent',
] as const
export const allEventTypes = [...eventTypes]

/** The subscription lasts half an hour beyond its last connection. */
export const Subscribe = operation({
  name: 'Subscribe',
  request: message({
    Request: requiredInline(
      choice({
        StreamingSubscriptionRequest: element({
          attributes: { SubscribeToAllFolders: boolean },
          places: { FolderIds: folderIds, EventTypes: required(list('EventType', enumeration(eventTypes))) },
        }),
      }),
    ),
  }),
  answer: message({ SubscriptionId: text }),
})

/** Of an event only its existence is read. */
const event = sequence({})
const notification = sequence({
  SubscriptionId: text,
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
