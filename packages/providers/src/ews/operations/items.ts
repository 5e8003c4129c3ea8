/** Operations on items of every kind. */
import {
  attributesOnly,
  boolean,
  choice,
  dateTime,
  element,
  enumeration,
  inline,
  integer,
  list,
  message,
  required,
  requiredAttribute,
  sequence,
  text,
  type ValueOf,
} from '../soap/description.ts'
import { operation } from '../soap/operation.ts'
import { itemChanges } from '../types/changes.ts'
import { folderIds, itemId, itemIds, targetFolder } from '../types/ids.ts'
import { items, newItems } from '../types/items.ts'
import { restriction, sortOrder } from '../types/restriction.ts'
import { itemShape } from '../types/shapes.ts'
import { deleteTypes, indexedPageView, pageOfAnswer } from './folders.ts'

/**
 * Occurrences and single events of a window of at most two years. It cannot be combined with a restriction, query,
 * sort order or paging.
 */
const calendarView = attributesOnly({
  MaxEntriesReturned: integer,
  StartDate: requiredAttribute(dateTime),
  EndDate: requiredAttribute(dateTime),
})

export const itemView = choice({ IndexedPageItemView: indexedPageView, CalendarView: calendarView })
export type ItemView = ValueOf<typeof itemView>

/** A page of items from an offset on. */
export const page = (Offset: number, MaxEntriesReturned: number): ItemView => ({
  kind: 'IndexedPageItemView',
  MaxEntriesReturned,
  Offset,
  BasePoint: 'Beginning',
})

const someItems = message({ Items: items })

export const GetItem = operation({
  name: 'GetItem',
  reads: true,
  request: message({ ItemShape: required(itemShape), ItemIds: required(itemIds) }),
  answer: someItems,
})

/** One response message for each folder, in their order. A query string excludes a restriction. */
export const FindItem = operation({
  name: 'FindItem',
  reads: true,
  request: message(
    {
      ItemShape: required(itemShape),
      View: inline(itemView),
      Restriction: restriction,
      SortOrder: sortOrder,
      ParentFolderIds: required(folderIds),
      QueryString: text,
    },
    { Traversal: requiredAttribute(enumeration(['Shallow', 'SoftDeleted', 'Associated'])) },
  ),
  answer: message({ RootFolder: element({ attributes: pageOfAnswer, places: { Items: items } }) }),
})

const messageDispositions = ['SaveOnly', 'SendOnly', 'SendAndSaveCopy'] as const
export type MessageDisposition = (typeof messageDispositions)[number]
const meetingMails = ['SendToNone', 'SendOnlyToAll', 'SendToAllAndSaveCopy'] as const
export type MeetingMails = (typeof meetingMails)[number]
const changedMeetingMails = [
  'SendToNone',
  'SendOnlyToAll',
  'SendOnlyToChanged',
  'SendToAllAndSaveCopy',
  'SendToChangedAndSaveCopy',
] as const
export type ChangedMeetingMails = (typeof changedMeetingMails)[number]

/**
 * Messages need a disposition, events an invitation mode. An item that is sent without a copy is returned without an
 * id.
 */
export const CreateItem = operation({
  name: 'CreateItem',
  request: message(
    { SavedItemFolderId: targetFolder, Items: required(newItems) },
    { MessageDisposition: enumeration(messageDispositions), SendMeetingInvitations: enumeration(meetingMails) },
  ),
  answer: someItems,
})

export const UpdateItem = operation({
  name: 'UpdateItem',
  request: message(
    { SavedItemFolderId: targetFolder, ItemChanges: required(itemChanges) },
    {
      ConflictResolution: requiredAttribute(enumeration(['NeverOverwrite', 'AutoResolve', 'AlwaysOverwrite'])),
      MessageDisposition: enumeration(messageDispositions),
      SendMeetingInvitationsOrCancellations: enumeration(changedMeetingMails),
    },
  ),
  answer: someItems,
})

export const DeleteItem = operation({
  name: 'DeleteItem',
  request: message(
    { ItemIds: required(itemIds) },
    {
      DeleteType: requiredAttribute(enumeration(deleteTypes)),
      SendMeetingCancellations: enumeration(meetingMails),
      AffectedTaskOccurrences: enumeration(['AllOccurrences', 'SpecifiedOccurrenceOnly']),
    },
  ),
  answer: message({}),
})

/** The items get other ids, which the answer contains, except after a move to another mailbox. */
export const MoveItem = operation({
  name: 'MoveItem',
  request: message({ ToFolderId: required(targetFolder), ItemIds: required(itemIds) }),
  answer: someItems,
})

/** The ids need their change keys. */
export const SendItem = operation({
  name: 'SendItem',
  request: message(
    { ItemIds: required(itemIds), SavedItemFolderId: targetFolder },
    { SaveItemToFolder: requiredAttribute(boolean) },
  ),
  answer: message({}),
})

const node = sequence({ Items: items })

/** The messages of conversations in all folders: one response message for each conversation. */
export const GetConversationItems = operation({
  name: 'GetConversationItems',
  since: 'Exchange2013',
  reads: true,
  request: message({
    ItemShape: required(itemShape),
    Conversations: required(list('Conversation', sequence({ ConversationId: required(itemId) }))),
  }),
  answer: message({
    Conversation: sequence({ ConversationId: required(itemId), ConversationNodes: list('ConversationNode', node) }),
  }),
})
