/** All tools, in the order in which clients see them. */
import type { ToolDefinition } from './tool.ts'
import { book, cancelBooking, findBookableTimes, listBookings, listSchedulingPages } from './tools/booking-tools.ts'
import { createContact, findContacts, updateContact } from './tools/contact-tools.ts'
import {
  createEvent,
  deleteEvent,
  findEvents,
  listCalendars,
  readEvent,
  respondToEvent,
  updateEvent,
} from './tools/event-tools.ts'
import {
  findMessages,
  findThreads,
  getAttachment,
  listFolders,
  readMessage,
  readThread,
} from './tools/message-tools.ts'
import { deleteMessage, updateMessage } from './tools/organize-tools.ts'
import { convertTime, currentTime, getApproval, listGrants } from './tools/service-tools.ts'
import { findRooms, findTimes, freeBusy } from './tools/time-tools.ts'
import {
  cancelScheduledMessage,
  createDraft,
  listScheduledMessages,
  reply,
  sendDraft,
  sendMessage,
  updateDraft,
} from './tools/writing-tools.ts'

export const tools: readonly ToolDefinition[] = [
  ...[listGrants, currentTime, convertTime, getApproval],
  ...[findMessages, readMessage, findThreads, readThread, listFolders, getAttachment],
  ...[updateMessage, deleteMessage],
  ...[createDraft, updateDraft, sendDraft, reply, sendMessage, listScheduledMessages, cancelScheduledMessage],
  ...[findContacts, createContact, updateContact],
  ...[listCalendars, findEvents, readEvent, createEvent, updateEvent, deleteEvent, respondToEvent],
  ...[freeBusy, findTimes, findRooms],
  ...[listSchedulingPages, findBookableTimes, listBookings, book, cancelBooking],
]
