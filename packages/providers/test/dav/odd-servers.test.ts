/**
 * Servers without tags, tokens or ETags, and servers that report too much or too little: the notifications are the
 * same.
 */
import type { Grant } from '@waypost/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { calDavTraits } from '../../src/dav/caldav/traits.ts'
import { watchedCalendars } from '../../src/dav/caldav/watch.ts'
import type { DavSession } from '../../src/dav/session.ts'
import type { Change } from '../../src/provider.ts'
import { watchedParts } from '../../src/shared/watched-parts.ts'
import { type DavAccount, davAccount } from './dav-account.ts'
import { type Habits, openScriptedCalendar, type ScriptedCalendar } from './scripted-calendar.ts'

const event = (uid: string, summary = uid): string =>
  `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART:20270601T090000Z\r\nDTEND:20270601T100000Z\r\nSUMMARY:${summary}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
const named = ({ trigger, object }: Change): string =>
  `${trigger} ${('title' in object && object.title) || ('id' in object && object.id)}`

let server: ScriptedCalendar
let account: DavAccount
let session: DavSession
let cursor: string | undefined
let now: number
beforeEach(async () => {
  server = await openScriptedCalendar()
  cursor = undefined
  now = Date.now()
  account = davAccount({
    clock: { now: () => now },
    pollSeconds: 60,
    log: { debug: () => {}, warn: () => {} } as unknown as DavSession['io']['log'],
  })
  const auth = { user: 'alice', password: 'secret' }
  const dav = account.open({ caldavUrl: server.url, auth })
  session = { grant: { id: 'g', email: 'alice@work.test' } as Grant, io: account.io, dav }
})
afterEach(async () => {
  await account[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const source = watchedParts<DavSession>([watchedCalendars<DavSession>(calDavTraits)])
const poll = async (): Promise<string[]> => {
  now += 61_000
  const found = await source.since(session, cursor, { notBefore: now })
  ;({ cursor } = found)
  const reported = found.changes.map(named).sort()
  return found.more ? [...reported, ...(await poll())].sort() : reported
}

const servers: [string, Partial<Habits>][] = [
  ['keeps to the RFCs', {}],
  ['has no sync tokens', { tokens: 'none' }],
  ['has neither tokens nor tags', { tokens: 'none', ctag: false }],
  ['has tokens and no tags', { ctag: false }],
  ['lists everything whatever the token, and nothing that is gone', { tokens: 'everything' }],
  ['tells one change at a time', { tokens: 'pages' }],
  ['tells no ETags', { etags: false }],
  ['tells no ETags, and has no tokens', { etags: false, tokens: 'none' }],
]

describe.each(servers)('a server that %s', (_, habits) => {
  test('has its changes notified exactly: created, changed and deleted, once', async () => {
    Object.assign(server.habits, habits)
    for (const name of ['old', 'changed', 'gone']) server.put(`${name}.ics`, event(name))
    expect(await poll()).toEqual([])
    server.put('new.ics', event('new'))
    server.put('changed.ics', event('changed', 'other'))
    expect(await poll()).toEqual(['event.created new', 'event.updated other'])
    server.remove('gone.ics')
    server.put('last.ics', event('last'))
    expect(await poll()).toEqual(['event.created last', 'event.deleted gone'])
    server.put('new.ics', event('new', 'again'))
    server.put('brief.ics', event('brief'))
    server.remove('brief.ics')
    expect(await poll()).toEqual(['event.updated again'])
    expect(await poll()).toEqual([])
  })
})

describe('a server whose tags and tokens are the second of the last change', () => {
  test('is polled again for changes in the second of the last poll', async () => {
    server.habits.second = () => Math.floor(now / 1000)
    server.put('old.ics', event('old'))
    await poll()
    for (const name of ['one', 'two']) {
      server.put(`${name}.ics`, event(name))
      // By another node, in the same second as the change.
      session = { ...session }
      now -= 61_000
      expect(await poll()).toEqual([`event.created ${name}`])
      server.put(`${name}-same.ics`, event(`${name}, same second`))
      expect(await poll()).toEqual([`event.created ${name}, same second`])
    }
    now += 600_000
    await poll()
    server.heard.length = 0
    expect(await poll()).toEqual([])
    expect(server.heard).toHaveLength(1)
  })
})

describe('a calendar', () => {
  test('that is not listed and cannot be requested is not notified as deleted, and nothing of it is lost', async () => {
    server.put('a.ics', event('a'))
    await poll()
    server.hidden = true
    expect(await poll()).toEqual([])
    server.put('b.ics', event('b'))
    server.hidden = false
    expect(await poll()).toEqual(['event.created b'])
  })

  test('with a thousand new events is notified in rounds, each event once', async () => {
    server.put('old.ics', event('old'))
    await poll()
    for (let number = 0; number < 1000; number++) server.put(`n${number}.ics`, event(`n${number}`))
    now += 61_000
    const first = await source.since(session, cursor, { notBefore: now })
    expect(first.more).toBe(true)
    expect(first.changes.length).toBeLessThan(1000)
    // The next round has nothing but the cursor.
    ;({ cursor } = first)
    const rest = await poll()
    const reported = [...first.changes.map(named), ...rest]
    expect(new Set(reported).size).toBe(1000)
    expect(reported).toHaveLength(1000)
    expect(await poll()).toEqual([])
  })
})
