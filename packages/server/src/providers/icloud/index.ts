/**
 * iCloud: mail by IMAP and SMTP, under an app-specific password. Apple has neither OAuth nor pushes; an account is known to
 * IMAP by the part of its address before the @, and to all else by the whole.
 */
import { mailOfImap } from '../imap/mail.ts'
import type { Session } from '../imap/session.ts'
import { changes } from '../imap/watch/watch.ts'
import { defineProvider } from '../provider.ts'
import { authenticate } from './authenticate.ts'
import { form } from './form.ts'
import { limits } from './limits.ts'
import { messages } from './messages.ts'
import { open } from './session.ts'

export const icloud = defineProvider<Session>()({
  kind: 'icloud',
  authenticate,
  form,
  limits,
  open,
  ...mailOfImap,
  messages,
  changes,
})
