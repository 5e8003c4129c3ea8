/** Changes in Google calendars only. conformance/calendar-changes.test.ts has what other providers do too. */
import { expect, test } from 'vitest'
import type { Fields, Json } from '../../conformance/accounts.ts'
import { pollsOnDemand } from '../../conformance/polls.ts'
import { openGoogleAccounts } from './google-accounts.ts'

const at = (dateTime: string): Fields => ({ dateTime, timeZone: 'UTC' })
const meeting = (summary: string): Fields => ({
  summary,
  start: at('2027-06-01T09:00:00Z'),
  end: at('2027-06-01T10:00:00Z'),
})

/** A watched account, and what it is notified of in each poll. */
async function watch(fail?: (accounts: Awaited<ReturnType<typeof openGoogleAccounts>>) => void) {
  const polls = pollsOnDemand('google')
  const accounts = await openGoogleAccounts({ overrides: { serving: true, providers: polls.providers } })
  await accounts.service.listen()
  fail?.(accounts)
  const account = await accounts.newAccount()
  await polls.isWaiting(account)
  const reported = (): Promise<Json[]> => polls.reported(accounts.service, account, /^(?!grant)/)
  return { ...accounts, account, reported }
}
const nameOf = ({ type, data: { object } }: Json): string => `${type} ${object.title ?? object.name}`

test('shared calendars are notified as read-only, if they can be read', async () => {
  await using watched = await watch()
  const { simulator, account, reported } = watched
  const { calendar: others } = simulator.addAccount({ email: `owner-of-${account.email}`, timezone: 'UTC' })
  const read = others.addCalendar({ summary: 'Read' }).id
  const busy = others.addCalendar({ summary: 'Busy' }).id
  others.addEvent(meeting('long there'), read)
  others.share(read, account.email, 'reader')
  others.share(busy, account.email, 'freeBusyReader')
  expect((await reported()).map(nameOf).sort()).toEqual(['calendar.created Busy', 'calendar.created Read'])
  others.addEvent(meeting('secret'), busy)
  others.addEvent({ ...meeting('shared'), recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }, read)
  expect(await reported()).toMatchObject([
    { type: 'event.created', data: { object: { title: 'shared', read_only: true } } },
  ])
  // A calendar that Google temporarily cannot return does not delay the others.
  const path = new RegExp(`${encodeURIComponent(read)}/events$`)
  simulator.fail({ method: 'GET', path, times: 6 }, { status: 503, reason: 'backendError' })
  others.addEvent(meeting('delayed'), read)
  account.google.calendar.addEvent(meeting('own'))
  const later: string[] = []
  for (let poll = 0; poll < 5 && later.length < 2; poll += 1) later.push(...(await reported()).map(nameOf))
  expect(later).toEqual(['event.created own', 'event.created delayed'])
})

test('a part of the account that Google does not report does not delay the others', async () => {
  await using watched = await watch(({ simulator }) => {
    simulator.fail({ method: 'GET', path: /\/connections$/, times: 50 }, { status: 403, reason: 'accessNotConfigured' })
    simulator.fail({ method: 'GET', path: /calendarList$/, times: 1 }, { status: 403, reason: 'notACalendarUser' })
  })
  const refused = (end: string): number => watched.simulator.calls.filter(({ path }) => path.endsWith(end)).length
  expect([refused('/connections'), refused('/calendarList')]).toEqual([1, 1])
  watched.account.google.mail.deliver('From: bob@elsewhere.test\r\nSubject: Hello\r\n\r\nText\r\n')
  expect((await watched.reported()).map(({ type }) => type)).toContain('message.created')
  // They are skipped, not requested at every poll.
  expect([refused('/connections'), refused('/calendarList')]).toEqual([1, 1])
})
