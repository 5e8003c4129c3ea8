/** The kinds of items. */
import { choice, listOf, readableListOf, type ValueOf } from '../soap/description.ts'
import { calendarItem } from './calendar-item.ts'
import { contact, distributionList } from './contact.ts'
import { plainItem } from './item.ts'
import { meetingAnswer, messageItem } from './message.ts'

/** ArrayOfRealItemsType: what a folder may hold. */
export const anyItem = choice({
  Item: plainItem,
  Message: messageItem,
  CalendarItem: calendarItem,
  Contact: contact,
  DistributionList: distributionList,
  MeetingMessage: messageItem,
  MeetingRequest: messageItem,
  MeetingResponse: messageItem,
  MeetingCancellation: messageItem,
  Task: plainItem,
  PostItem: messageItem,
})
export type Item = ValueOf<typeof anyItem>
export const items = readableListOf(anyItem)

/** NonEmptyArrayOfAllItemsType: what may be created. */
const anyNewItem = choice({
  ...anyItem.options,
  AcceptItem: meetingAnswer,
  TentativelyAcceptItem: meetingAnswer,
  DeclineItem: meetingAnswer,
})
export const newItems = listOf(anyNewItem)
