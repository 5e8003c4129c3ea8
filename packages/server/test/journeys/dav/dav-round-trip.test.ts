/**
 * Difficult calendar objects on real servers: stored by another program, read and changed by the API, and read from
 * the server again. Properties without an API field are preserved to the line. Servers rewrite some lines, so the
 * stored object before the change is compared with the stored object after it.
 */

import { eventsOf, readCalendarObject } from '@waypost/formats/icalendar/calendar-object'
import { ComponentNode, type Item, parseItems, unfold } from '@waypost/formats/icalendar/content-lines'
import { isFull } from '@waypost/testing/level'
import { sharedCyrus } from '@waypost/testing/peers/cyrus'
import type { DavAnswer } from '@waypost/testing/peers/dav-server'
import { sharedRadicale } from '@waypost/testing/peers/radicale'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { difficultIcs } from '../../../../formats/test/icalendar/difficult-ics.ts'
import type { DifficultIcs } from '../../../../formats/test/icalendar/making-ics.ts'
import { expectStatus, type Json } from '../../conformance/accounts.ts'
import { type OpenDav, openImapAndDav } from '../../conformance/dav-subject.ts'

/** Objects processed concurrently. */
const width = 6
/** Properties that a change of the title modifies. */
const reported = new Set(['SUMMARY', 'DTSTAMP', 'LAST-MODIFIED', 'SEQUENCE', 'X-WAYPOST-ASKED-SEQUENCE'])
/** Parameters that scheduling servers write into the lines of guests. */
const ofServer = /;SCHEDULE-STATUS=(?:"[^"]*"|[^;:]*)/g

/** All lines of a text with their component, without those that the change modifies. */
function linesOf(text: string): string[] {
  const within = (items: readonly Item[], path: string): string[] =>
    items.flatMap((item) => {
      if (item instanceof ComponentNode) return [`${path}${item.name}`, ...within(item.items, `${path}${item.name}/`)]
      if (path.endsWith('/VEVENT/') && reported.has(item.name)) return []
      // Stored objects have no METHOD; some servers accept one nevertheless.
      if (item.name === 'METHOD') return []
      return item.name === '' ? [] : [`${path}${unfold(item.raw).replace(ofServer, '').trimEnd()}`]
    })
  return within(parseItems(text), '').sort()
}

interface Outcome {
  name: string
  what: 'refused by the server' | 'not for the account to change' | 'came through'
  /** The differences from the expected result. */
  wrong: string[]
}

/** Cyrus ends a line with blanks in a report, but not in GET. */
const shown = (title: string | null): string => title?.trimEnd() ?? ''

/** Missing and new lines, except time zones that a server defines itself. */
function differences(before: string, after: string): string[] {
  const [had, has] = [linesOf(before), linesOf(after)]
  const left = [...has]
  const lost = had.filter((line) => {
    const at = left.indexOf(line)
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
  const gained = left.filter((line) => !line.startsWith('VCALENDAR/VTIMEZONE'))
  return [...lost.map((line) => `lost ${line}`), ...gained.map((line) => `gained ${line}`)]
}

async function roundTrip(open: OpenDav, account: Account, sample: DifficultIcs, index: number): Promise<Outcome> {
  const { name } = sample
  const { mailbox, calendarUrl, call, calendarId } = account
  const at = async (method: string, body?: string): Promise<DavAnswer> =>
    open.dav.request(mailbox, method, `${calendarUrl}difficult-${index}.ics`, {
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'text/calendar; charset=utf-8' } }),
    })
  // The account becomes the organizer of the sample.
  const put = await at('PUT', sample.text.replaceAll('ada@example.com', mailbox.user))
  if (put.status >= 300) return { name, what: 'refused by the server', wrong: [] }
  const before = (await at('GET')).text
  const object = readCalendarObject(before)
  const main = object && eventsOf(object, { zone: 'UTC' }).main
  const isOwn = main && (main.organizer?.email ?? (before.includes('ORGANIZER') ? '' : mailbox.user)) === mailbox.user
  if (!main || !isOwn) return { name, what: 'not for the account to change', wrong: [] }
  const path = `difficult-${index}?calendar_id=${calendarId}`
  const read: Json = await call('GET', path)
  const title = `Changed: ${name}`
  const changed: Json = await call('PUT', path, { title })
  const after = (await at('GET')).text
  const wrong = [
    ...(read.status === 200 && shown(read.body.data.title) === shown(main.title)
      ? []
      : [`read ${JSON.stringify(read.body)}`, `not ${JSON.stringify(main.title)}`]),
    ...(changed.status === 200 && changed.body.data.title === title ? [] : [`changed ${JSON.stringify(changed.body)}`]),
    ...differences(before, after),
  ]
  return { name, what: 'came through', wrong }
}

interface Account {
  mailbox: { user: string; password: string }
  calendarUrl: string
  calendarId: string
  call: (method: string, path: string, body?: unknown) => ReturnType<OpenDav['call']>
}

async function newAccount(open: OpenDav): Promise<Account> {
  const { grantId, mailbox } = await open.newAccount()
  const calendars: Json[] = expectStatus(await open.call('GET', `/v3/grants/${grantId}/calendars`), 200).body.data
  const calendarId: string = calendars[0]?.id
  return {
    mailbox,
    calendarUrl: `${open.dav.calendarHome(mailbox.user)}${calendarId}/`,
    calendarId,
    call: (method, path, body) =>
      open.call(method, `/v3/grants/${grantId}/events/${path}`, body === undefined ? {} : { body }),
  }
}

/** Radicale hangs for all clients on a rule without occurrences. */
const endless = ['INTERVAL of nothing', 'a rule that never comes true']

/** Below `check:full`, each server has every second object. */
const halves = { radicale: 0, cyrus: 1 } as const

describe.each([
  ['radicale', sharedRadicale, endless],
  ['cyrus', sharedCyrus, []],
] as const)('difficult calendar objects at %s', (server, start, without: readonly string[]) => {
  let open: OpenDav
  beforeAll(async () => {
    open = await openImapAndDav(start)
  })
  afterAll(async () => open?.[Symbol.asyncDispose]())

  test('are read and changed, and keep everything that the API does not support', async () => {
    const account = await newAccount(open)
    const outcomes: Outcome[] = []
    const own = difficultIcs.filter((_, index) => isFull || index % 2 === halves[server])
    const samples = own.filter(({ name }) => !without.includes(name))
    const left = samples.map((sample, index) => ({ sample, index }))
    await Promise.all(
      Array.from({ length: width }, async () => {
        for (let next = left.shift(); next; next = left.shift()) {
          outcomes.push(await roundTrip(open, account, next.sample, next.index))
        }
      }),
    )
    const through = outcomes.filter(({ what }) => what === 'came through')
    expect(outcomes).toHaveLength(samples.length)
    expect(outcomes.filter(({ wrong }) => wrong.length > 0)).toEqual([])
    expect(through.length).toBeGreaterThan(isFull ? 100 : 50)
  })
})
