/** Changes in Microsoft calendars only. conformance/calendar-changes.test.ts has what other providers do too. */
import { expect, test } from 'vitest'
import type { Fields, Json } from '../../conformance/accounts.ts'
import { pollsOnDemand } from '../../conformance/polls.ts'
import { openMicrosoftAccounts } from './microsoft-accounts.ts'

const inDays = (days: number): string => Temporal.Now.plainDateISO().add({ days }).toString()
const meeting = (subject: string, date: string): Fields => ({
  subject,
  start: { dateTime: `${date}T09:00:00`, timeZone: 'UTC' },
  end: { dateTime: `${date}T10:00:00`, timeZone: 'UTC' },
})

test('an event that leaves the window that Graph returns is changed, not deleted, and a cancelled instance is an EXDATE', async () => {
  const polls = pollsOnDemand('microsoft')
  await using accounts = await openMicrosoftAccounts({ overrides: { serving: true, providers: polls.providers } })
  await accounts.service.listen()
  const account = await accounts.newAccount()
  await polls.isWaiting(account)
  const { calendar } = account.microsoft
  const reported = (): Promise<Json[]> => polls.reported(accounts.service, account, /^event/)
  const { id } = calendar.addEvent(meeting('near', inDays(30)))
  expect(await reported()).toMatchObject([{ type: 'event.created', data: { object: { title: 'near' } } }])
  calendar.changeEvent(id, meeting('far', inDays(900)))
  expect(await reported()).toMatchObject([{ type: 'event.updated', data: { object: { title: 'far' } } }])
  calendar.changeEvent(id, meeting('back', inDays(30)))
  expect(await reported()).toMatchObject([{ type: 'event.updated', data: { object: { title: 'back' } } }])

  const range = { type: 'numbered', startDate: inDays(40), numberOfOccurrences: 3 }
  const recurrence = { pattern: { type: 'daily', interval: 1 }, range }
  calendar.addEvent({ ...meeting('series', inDays(40)), recurrence })
  const [created] = await reported()
  const { object: series } = created.data
  const now = Math.floor(Date.now() / 1000)
  const instances = { master_event_id: series.id, start: now, end: now + 60 * 86_400 }
  const [, second] = await account.listAll('primary', instances)
  await account.delete(`/events/${second.id}`, { calendar_id: 'primary' })
  const [changed] = await reported()
  const { object: cancelled } = changed.data
  expect(cancelled).toMatchObject({ id: series.id, cancelled_occurrences: [expect.stringContaining(inDays(41))] })
  expect(cancelled).not.toHaveProperty('occurrences')
  expect(cancelled.recurrence[1]).toMatch(/^EXDATE/)
})
