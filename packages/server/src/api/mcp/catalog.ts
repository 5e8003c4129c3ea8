/** All tools, in the order in which clients see them. */
import { hasOperation } from '../../applications/key-rights.ts'
import type { Caller } from '../../grants/caller.ts'
import type { JsonSchema, ToolDefinition } from './tool.ts'
import { getAttachment } from './tools/attachment-tools.ts'
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
import { findMessages, findThreads, listFolders, readMessage, readThread } from './tools/message-tools.ts'
import { deleteMessage, updateMessage } from './tools/organize-tools.ts'
import { convertTime, currentTime, getApproval, listGrants } from './tools/service-tools.ts'
import { soleGrantOf } from './tools/sole-grant.ts'
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

const byName: ReadonlyMap<string, ToolDefinition> = new Map(tools.map((tool) => [tool.name, tool]))

/** Whether a caller may call a tool. Only a restricted credential lacks some. */
const mayCall = ({ credential }: Pick<Caller, 'credential'>, { operations }: ToolDefinition): boolean =>
  !credential || operations.every((operation) => hasOperation(credential, operation))

/** The tools that a caller may call. */
export const toolsFor = (caller: Pick<Caller, 'credential'>): ToolDefinition[] =>
  tools.filter((tool) => mayCall(caller, tool))

/** The tool of a name, if the caller may call it. */
export function findTool(caller: Pick<Caller, 'credential'>, name: string): ToolDefinition | undefined {
  const tool = byName.get(name)
  return tool && mayCall(caller, tool) ? tool : undefined
}

/** The arguments that a tool has for a caller: those with exactly one grant do not name it. */
export const inputSchemaFor = (tool: ToolDefinition, caller: Caller): JsonSchema =>
  soleGrantOf(caller) === undefined ? tool.inputSchema : tool.soleInputSchema
