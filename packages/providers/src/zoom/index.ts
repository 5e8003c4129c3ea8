/**
 * Zoom accounts create meetings for events. They have no mail, calendars or contacts here, so a person has a Zoom grant
 * next to the grant of the mailbox.
 */
import { lazyParts } from '../lazy-parts.ts'
import { defineProvider } from '../provider.ts'
import { conferences } from './meetings.ts'
import { oauth } from './oauth.ts'
import { open, type Session } from './session.ts'

const why = 'a Zoom account has meetings alone: name it in conferencing.autocreate.conf_grant_id of an event'
const resources = ['messages', 'drafts', 'threads', 'folders', 'attachments', 'contacts', 'contactGroups']
const remedies = Object.fromEntries([...resources, 'calendars', 'events', 'roomResources'].map((name) => [name, why]))

const parts = lazyParts<Session>()({
  authenticate: async () => (await import('./authenticate.ts')).authenticate,
  check: async () => (await import('./check.ts')).check,
})

export const zoom = defineProvider<Session>()({ kind: 'zoom', oauth, open, remedies, conferences, ...parts })
