/** Calendars and events of mailboxes with a CalDAV server beside them, through the suites that every provider passes. */
import { startCyrus } from '../peers/cyrus.ts'
import type { DavServer } from '../peers/dav-server.ts'
import { startRadicale } from '../peers/radicale.ts'
import { expectStatus } from './accounts.ts'
import { describeCalendars } from './calendars.ts'
import { openImapAndDav } from './dav-subject.ts'
import { describeEvents } from './events.ts'
import { sharedCalendar } from './shared-subject.ts'
import type { Lack, OpenSubject } from './subject.ts'

async function open(start: () => Promise<DavServer>): Promise<OpenSubject> {
  const opened = await openImapAndDav(start)
  const { call } = opened
  const { grantId, email } = await opened.newAccount({ carddav_url: 'none' })
  const made = await call('POST', `/v3/grants/${grantId}/calendars`, { body: { name: 'Conformance' } })
  const calendarId = expectStatus(made, 200).body.data.id
  return { call, grantId, email, calendarId, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() }
}

const servers: readonly [string, () => Promise<DavServer>, readonly Lack[]][] = [
  ['Cyrus, which schedules', startCyrus, []],
  // It names no calendar as the one for invitations, and knows nobody else's times.
  ['Radicale, which does not', startRadicale, ['primary', 'free-busy']],
]
for (const [name, start, lacks] of servers) {
  const subject = sharedCalendar({ name: `mailboxes with calendars at ${name}`, lacks, open: () => open(start) })
  describeCalendars(subject)
  describeEvents(subject)
}
