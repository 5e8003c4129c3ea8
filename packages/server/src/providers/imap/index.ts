/** Mailboxes at any IMAP server, live: nothing of them is kept but what an application adds. */
import { defineProvider } from '../provider.ts'
import { attachments } from './attachments.ts'
import { authenticate } from './authenticate.ts'
import { draftSource, drafts } from './drafts.ts'
import { folders } from './folders.ts'
import { form } from './form.ts'
import { limits } from './limits.ts'
import { formerIds } from './mapping/ids.ts'
import { messages } from './messages.ts'
import { sent } from './sending.ts'
import { open, type Session } from './session.ts'
import { threads } from './threads.ts'
import { changes } from './watch/watch.ts'

export const imap = defineProvider<Session>()({
  kind: 'imap',
  authenticate,
  form,
  limits,
  open,
  messages,
  sent,
  formerIds,
  drafts,
  draftSource,
  threads,
  folders,
  attachments,
  changes,
})
