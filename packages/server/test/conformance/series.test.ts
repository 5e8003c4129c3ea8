/** Series on every kind of calendar: the same requests, and the same responses except for documented differences. */
import { isFull } from '@waypost/testing/level'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at, expectStatus, type Json, span, wall } from './accounts.ts'
import { type SeriesCase, type SeriesStep, seriesCases, zone } from './series-cases.ts'
import { type KindAccount, openKinds } from './series-subjects.ts'

const resources = new AsyncDisposableStack()
let kinds: KindAccount[]
beforeAll(async () => {
  kinds = await openKinds(resources)
})
afterAll(() => resources.disposeAsync())

const windows = [
  ['2026-05-01T00:00', '2026-09-30T00:00'],
  ['2026-10-01T00:00', '2027-01-31T00:00'],
  ['2027-02-01T00:00', '2027-05-30T00:00'],
].map(([start = '', end = '']) => ({ start: at(start), end: at(end), limit: 200 }))

const startOf = ({ when }: Json): number => when.start_time ?? at(`${when.date ?? when.start_date}T00:00`, zone)

/** The occurrences of a series; kinds that cannot filter by series list the calendar, which contains no other. */
async function occurrences({ account, calendarId }: KindAccount, id: string): Promise<Json[]> {
  const pages = await Promise.all(windows.map((window) => account.listAll(calendarId, window)))
  const found = new Map(pages.flat().map((event) => [event.id, event]))
  return [...found.values()].filter((event) => event.master_event_id === id).sort((a, b) => startOf(a) - startOf(b))
}

/** `02T09:00 Title`, with the month if it is not June 2026, and the year if it is not 2026. */
const shown = (event: Json): string => {
  const { when, title } = event
  const time = wall(startOf(event), zone)
  const text = when.object === 'timespan' ? time : time.slice(0, 10)
  return `${text.replace(/^2026-06-|^2026-|^20(?=27)/, '')} ${title}`
}

async function take(subject: KindAccount, id: string, step: SeriesStep): Promise<string[]> {
  const { account, calendarId } = subject
  const query = { calendar_id: calendarId, notify_participants: false }
  const target = step.at === undefined ? id : ids.get(`${subject.kind} ${step.at}`)
  const path = `/events/${encodeURIComponent(target ?? 'none')}`
  const answer = step.put ? await account.put(path, step.put, query) : await account.delete(path, query)
  if (answer.status === 200) return []
  const field = answer.status === 400 ? ` ${/^[\w.]+/.exec(answer.body.error.message)?.[0]}` : ''
  return [`${answer.status}${field}`]
}

/** Ids of occurrences when the series was new, by kind and local start. */
const ids = new Map<string, string>()

async function play(subject: KindAccount, { start, recurrence, steps = [] }: SeriesCase): Promise<string[]> {
  const { account, calendarId, kind } = subject
  const fields = { title: 'Series', when: start, recurrence }
  const { id } = await account.create(calendarId, fields, { notify_participants: false })
  ids.clear()
  for (const one of await occurrences(subject, id)) ids.set(`${kind} ${wall(startOf(one), zone)}`, one.id)
  const answers: string[] = []
  for (const step of steps) answers.push(...(await take(subject, id, step)))
  const listed = (await occurrences(subject, id)).map(shown)
  const query = { calendar_id: calendarId, notify_participants: false }
  expectStatus(await account.delete(`/events/${encodeURIComponent(id)}`, query), 200)
  return [...answers, ...listed]
}

/** Both are calendars by CalDAV: below `check:full`, each case is played on one of them. */
const davKinds = ['imap', 'icloud']

describe('of every kind of calendar', () => {
  test.each(seriesCases)('$name', async (one) => {
    const wanted: Record<string, string[]> = {}
    const found: Record<string, string[]> = {}
    const other = davKinds[seriesCases.indexOf(one) % 2]
    for (const subject of kinds.filter(({ kind }) => isFull || kind !== other)) {
      wanted[subject.kind] = one.differs?.[subject.kind] ?? one.expected
      found[subject.kind] = await play(subject, one)
    }
    expect(found).toEqual(wanted)
  })

  test('the instances of a single event are not found', async () => {
    const found: Record<string, number[]> = {}
    for (const { kind, account, calendarId } of kinds) {
      // The contract has no such filter for iCloud.
      if (kind === 'icloud') continue
      const { id } = await account.create(calendarId, { when: span('2026-06-01T09:00') })
      const ask = (master: string) =>
        account.get('/events', { calendar_id: calendarId, ...windows[0], master_event_id: master })
      found[kind] = [(await ask(id)).status, (await ask('nosuchevent')).status]
      await account.delete(`/events/${encodeURIComponent(id)}`, { calendar_id: calendarId })
    }
    const both = [404, 404]
    expect(found).toEqual({ virtual: both, google: both, microsoft: both, ews: both, imap: both })
  })
})
