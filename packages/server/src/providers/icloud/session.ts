import type { Grant } from '@waypost/contract'
import { openSession, type Session } from '../imap/session.ts'
import type { SessionIo } from '../io.ts'
import { accountsOf } from './account.ts'

export const open = (grant: Grant, io: SessionIo): Session => ({
  ...openSession(grant, io, async () => accountsOf(grant.settings, io.credentials(), io)),
  // Its contacts are those of its address book.
  gathersPeople: false,
})
