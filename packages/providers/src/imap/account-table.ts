/** Properties shared by all mailboxes, with or without calendars and contacts. */
import type { Grant } from '@waypost/contract'
import { cachedContactGroups } from '../contacts/contact-groups.ts'
import { cachedContacts } from '../contacts/contacts.ts'
import { authenticate } from './authenticate.ts'
import { form } from './form.ts'
import { contactMaxima } from './limits.ts'
import { mailOfImap } from './mail.ts'

/** Without a known SMTP server, an account can read and write but not send. */
const lacks = ({ settings }: Pick<Grant, 'settings'>): readonly string[] =>
  settings.smtp_host === undefined ? ['messages.send'] : []

/** Calendars are on another server than the mail. */
const withoutCalendars =
  'this grant has no calendars: authenticate it again with caldav_url, the address of its CalDAV server, or "auto"'
const remedies = { calendars: withoutCalendars, events: withoutCalendars }

export const account = { kind: 'imap', authenticate, form, lacks, remedies, ...mailOfImap } as const

/** Contacts that Waypost stores, and collects from the mail. */
export const cachedBook = {
  keeps: ['contacts', 'contactGroups'],
  contacts: cachedContacts(contactMaxima),
  contactGroups: cachedContactGroups,
} as const
