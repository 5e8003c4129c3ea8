/** The mail operations shared by all kinds of accounts on IMAP servers. */
import { attachments } from './attachments.ts'
import { draftSource, drafts } from './drafts.ts'
import { folders } from './folders.ts'
import { formerIds } from './mapping/ids.ts'
import { messages } from './messages.ts'
import { sent } from './sending.ts'
import { threads } from './threads.ts'

export const mailOfImap = { messages, sent, formerIds, drafts, draftSource, threads, folders, attachments }
