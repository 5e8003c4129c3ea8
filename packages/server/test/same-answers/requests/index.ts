/** All requests; the lists run beside each other. */
import type { AskList } from '../run.ts'
import { calendarRequests } from './calendars.ts'
import { contactRequests } from './contacts.ts'
import { draftRequests } from './drafts.ts'
import { eventRequests } from './events.ts'
import { folderRequests } from './folders.ts'
import { messageRequests } from './messages.ts'
import { sendRequests } from './sends.ts'
import { threadRequests } from './threads.ts'

/** Mail is read before anything writes to the mailbox. */
export const requestLists: readonly AskList[] = [
  [...messageRequests, ...threadRequests, ...folderRequests, ...draftRequests, ...sendRequests],
  [...calendarRequests, ...eventRequests],
  contactRequests,
]
