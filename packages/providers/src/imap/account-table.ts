/** Properties shared by all mailboxes, with or without calendars and contacts. */
import type { Grant } from '@waypost/contract'
import { cachedContactGroups } from '../contacts/contact-groups.ts'
import { cachedContacts } from '../contacts/contacts.ts'
import { attachments } from './attachments.ts'
import { authenticate } from './authenticate.ts'
import { draftSource, drafts } from './drafts.ts'
import { folders } from './folders.ts'
import { form } from './form.ts'
import { contactMaxima } from './limits.ts'
import { formerIds } from './mapping/ids.ts'
import { messages } from './messages.ts'
import { sent } from './sending.ts'
import { threads } from './threads.ts'

/** Without a known SMTP server, an account can read and write but not send. */
const lacks = ({ settings }: Pick<Grant, 'settings'>): readonly string[] =>
  settings.smtp_host === undefined ? ['messages.send'] : []

/** Calendars are on another server than the mail. */
const withoutCalendars =
  'this grant has no calendars: authenticate it again with caldav_url, the address of its CalDAV server, or "auto"'
const remedies = { calendars: withoutCalendars, events: withoutCalendars }

/** The mail operations shared by all kinds of accounts on IMAP servers. */
export const mailOfImap = { messages, sent, formerIds, drafts, draftSource, threads, folders, attachments }

export const account = { kind: 'imap', authenticate, form, lacks, remedies, ...mailOfImap } as const

/** Contacts that Waypost stores, and collects from the mail. */
export const cachedBook = {
  keeps: ['contacts', 'contactGroups'],
  contacts: cachedContacts(contactMaxima),
  contactGroups: cachedContactGroups,
} as const
