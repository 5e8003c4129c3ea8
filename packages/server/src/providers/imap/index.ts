/**
 * Mailboxes at any IMAP server, live. IMAP knows no contacts: those that an application adds are kept by the service, and so
 * are those that the mail names.
 */
import { keptContactGroups } from '../contacts/contact-groups.ts'
import { keptContacts } from '../contacts/contacts.ts'
import { defineProvider } from '../provider.ts'
import { authenticate } from './authenticate.ts'
import { form } from './form.ts'
import { contactMaxima, limits } from './limits.ts'
import { mailOfImap } from './mail.ts'
import { open, type Session } from './session.ts'
import { changes } from './watch/watch.ts'

export const imap = defineProvider<Session>()({
  kind: 'imap',
  authenticate,
  form,
  limits,
  open,
  ...mailOfImap,
  keeps: ['contacts', 'contactGroups'],
  contacts: keptContacts(contactMaxima),
  contactGroups: keptContactGroups,
  changes,
})
