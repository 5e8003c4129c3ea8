/** Servers that accept a property of a calendar and do not store it: the response names the dropped field. */

import type { EgressRequest } from '@waypost/platform/egress/egress'
import type { Mailbox } from '@waypost/testing/peers/mail-server'
import { type Radicale, sharedRadicale } from '@waypost/testing/peers/radicale'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type CalendarAccount, calendarAccount } from './calendar-account.ts'

let server: Radicale
let mailbox: Mailbox
let account: CalendarAccount

beforeAll(async () => {
  server = await sharedRadicale()
  mailbox = await server.addDavUser()
})
afterAll(() => server?.[Symbol.asyncDispose]())
beforeEach(() => {
  account = calendarAccount(server, mailbox)
  return () => account[Symbol.asyncDispose]()
})

/** The server drops some properties and reports success. */
const dropping =
  (...names: string[]): CalendarAccount['between'] =>
  (request, next) => {
    const isWrite = request.method === 'MKCALENDAR' || request.method === 'PROPPATCH'
    return next(isWrite ? withoutProps(request, names) : request)
  }

function withoutProps(request: EgressRequest, names: readonly string[]): EgressRequest {
  const element = new RegExp(
    String.raw`<\w+:(?:${names.join('|')})[^>]*(?:/>|>[\s\S]*?</\w+:(?:${names.join('|')})>)`,
    'g',
  )
  return { ...request, body: String(request.body ?? '').replaceAll(element, '') }
}

const draft = { name: 'Work', description: 'Ours', timezone: 'America/New_York' }

test.each([
  [['calendar-description'], 'description'],
  [['calendar-timezone', 'calendar-timezone-id'], 'timezone'],
  [['calendar-description', 'calendar-timezone', 'calendar-timezone-id'], 'description, timezone'],
])('a new calendar that is stored without its %s is answered with x-ignored-fields', async (props, ignored) => {
  account.between = dropping(...props)
  await account.operations.calendars.create(account.session, draft)
  expect(account.headers['x-ignored-fields']).toBe(ignored)
})

test.each([
  [['calendar-description'], { description: 'Other words' }, 'description'],
  [['calendar-timezone'], { timezone: 'Europe/Berlin' }, 'timezone'],
  [['calendar-color'], { hex_color: '#1A73E8' }, 'hex_color'],
  [['displayname'], { name: 'Another name' }, 'name'],
])('a change that is stored without its %s is answered with x-ignored-fields', async (props, change, ignored) => {
  const { id } = await account.operations.calendars.create(account.session, draft)
  account.between = dropping(...props)
  await account.operations.calendars.update(account.session, { calendar_id: id }, change)
  expect(account.headers['x-ignored-fields']).toBe(ignored)
})

test('stored fields are not reported', async () => {
  const { id } = await account.operations.calendars.create(account.session, draft)
  const change = { name: ' Spaced ', description: ' Other ', timezone: 'Europe/Berlin', hex_color: '#1A73E8' }
  await account.operations.calendars.update(account.session, { calendar_id: id }, change)
  await account.operations.calendars.update(account.session, { calendar_id: id }, { description: null })
  expect(account.headers).toEqual({})
})
