/** What all mailboxes have in common, with or without calendars and contacts beside them. */
import { keptContactGroups } from '../contacts/contact-groups.ts'
import { keptContacts } from '../contacts/contacts.ts'
import { authenticate } from './authenticate.ts'
import { form } from './form.ts'
import { contactMaxima } from './limits.ts'
import { mailOfImap } from './mail.ts'

export const account = { kind: 'imap', authenticate, form, ...mailOfImap } as const

/** Contacts that the service keeps, and gathers from the mail. */
export const keptBook = {
  keeps: ['contacts', 'contactGroups'],
  contacts: keptContacts(contactMaxima),
  contactGroups: keptContactGroups,
} as const
