/** The calls that calendar tests make for one account over the HTTP API, and helpers for times. */
import { randomUUID } from 'node:crypto'
import type { Engine } from '@waypost/testing/engines'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { expect } from 'vitest'
import { type Answer, openService, type TestService } from '../harness.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read objects of every shape
export type Json = any
export type Fields = Readonly<Record<string, unknown>>
export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** A call to a path, with credentials already set. */
export type Call = (
  method: string,
  path: string,
  options?: { body?: unknown; headers?: Record<string, string>; key?: string },
) => Promise<Answer>

/** The instant of a local time in Unix seconds; without a zone in UTC. */
export const at = (text: string, zone = 'UTC'): number =>
  Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds / 1000

/** An instant as local wall time: `2026-06-01T09:00`. */
export const wall = (time: number, zone = 'UTC'): string =>
  Temporal.Instant.fromEpochMilliseconds(time * 1000)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString()
    .slice(0, 16)

/** A span of `minutes` from a local time. */
export const span = (start: string, minutes = 60, zone?: string): Fields => {
  const time = at(start, zone)
  return {
    start_time: time,
    end_time: time + minutes * 60,
    ...(zone ? { start_timezone: zone, end_timezone: zone } : {}),
  }
}

export const search = (query: Query): string =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString()

/** Fails with the whole response in the message. */
export function expectStatus(answer: Answer, status: number): Answer {
  expect(answer.status, JSON.stringify(answer.body)).toBe(status)
  return answer
}

/** Expects a refused request whose message names the problem. */
export function expectRefusal(answer: Answer, message: RegExp | string = ''): void {
  expectStatus(answer, 400)
  expect(answer.body.error.type).toBe('invalid_request_error')
  expect(answer.body.error.message).toMatch(message)
}

/** Calls with a key. */
export const callOf =
  (service: Pick<TestService, 'call'>, key: string): Call =>
  (method, path, rest) =>
    service.call(method, path, { key, ...rest })

export interface Account {
  grantId: string
  email: string
  get(path: string, query?: Query): Promise<Answer>
  post(path: string, body: unknown, query?: Query, headers?: Record<string, string>): Promise<Answer>
  put(path: string, body: unknown, query?: Query): Promise<Answer>
  delete(path: string, query?: Query): Promise<Answer>
  createCalendar(fields?: Fields): Promise<Json>
  /** Creates an event and expects success. */
  create(calendarId: string, fields: Fields, query?: Query): Promise<Json>
  /** Changes an event and expects success. */
  change(calendarId: string, id: string, fields: Fields, query?: Query): Promise<Json>
  /** The events of the first page. */
  list(calendarId: string, query?: Query): Promise<Json[]>
  /** The events of all pages. */
  listAll(calendarId: string, query?: Query): Promise<Json[]>
  read(calendarId: string, id: string): Promise<Json>
}

/** Characters that a path segment can contain unencoded (RFC 3986 §3.3): clients put ids into URLs as they are. */
const safeId = /^(?!\.{1,2}$)[\w.~@=+:!$'()*,;-]+$/
const namesOne = /^(?:id|(?!content|request)\w+_id)$/
const namesMany = /^(?:folders|message_ids|draft_ids|groups)$/

/** Fails if a response contains an id that some clients could not request. */
export function expectSafeIds(value: unknown, name = ''): void {
  if (typeof value === 'string') {
    // A draft without a thread has an empty id.
    if (value === '' && name !== 'id') return
    if (namesOne.test(name) || namesMany.test(name)) expect(value, `an id in ${name}`).toMatch(safeId)
  } else if (Array.isArray(value)) for (const each of value) expectSafeIds(each, namesMany.test(name) ? name : '')
  else if (typeof value === 'object' && value !== null) {
    // Clients choose their own metadata.
    for (const [key, each] of Object.entries(value)) if (key !== 'metadata') expectSafeIds(each, key)
  }
}

/** Every response to an account is checked for ids that do not fit into a path. */
export function accountOf(plainCall: Call, { grantId, email }: { grantId: string; email: string }): Account {
  const call: Call = async (...request) => {
    const answer = await plainCall(...request)
    expectSafeIds(answer.body?.data)
    return answer
  }
  const url = (path: string, query: Query = {}): string =>
    `/v3/grants/${grantId}${path}${Object.keys(query).length > 0 ? `?${search(query)}` : ''}`
  const account: Account = {
    grantId,
    email,
    get: (path, query) => call('GET', url(path, query)),
    post: (path, body, query, headers) => call('POST', url(path, query), { body, ...(headers ? { headers } : {}) }),
    put: (path, body, query) => call('PUT', url(path, query), { body }),
    delete: (path, query) => call('DELETE', url(path, query)),
    async createCalendar(fields = {}) {
      return expectStatus(await account.post('/calendars', { name: 'Work', ...fields }), 200).body.data
    },
    async create(calendarId, fields, query) {
      const answer = await account.post('/events', fields, { calendar_id: calendarId, ...query })
      return expectStatus(answer, 200).body.data
    },
    async change(calendarId, id, fields, query) {
      const path = `/events/${encodeURIComponent(id)}`
      return expectStatus(await account.put(path, fields, { calendar_id: calendarId, ...query }), 200).body.data
    },
    async list(calendarId, query) {
      return expectStatus(await account.get('/events', { calendar_id: calendarId, ...query }), 200).body.data
    },
    async listAll(calendarId, query) {
      return (await pagesOf(account, '/events', { calendar_id: calendarId, ...query })).flat()
    },
    async read(calendarId, id) {
      const path = `/events/${encodeURIComponent(id)}`
      return expectStatus(await account.get(path, { calendar_id: calendarId }), 200).body.data
    },
  }
  return account
}

/** Follows the cursors of a list to its end. */
export async function pagesOf(account: Account, path: string, query: Query): Promise<Json[][]> {
  const pages: Json[][] = []
  for (let token: string | undefined; ; ) {
    const { body } = expectStatus(await account.get(path, { ...query, page_token: token }), 200)
    pages.push(body.data)
    token = body.next_cursor ?? undefined
    if (token === undefined) return pages
    if (pages.length > 1000) throw new Error('the list has no end')
  }
}

export const titles = (events: readonly Json[]): string[] => events.map((event) => event.title)
export const ids = (events: readonly Json[]): string[] => events.map((event) => event.id)
/** The start of an event, whatever its form. */
export const startOf = ({ when }: Json): number | string => when.start_time ?? when.time ?? when.date ?? when.start_date

export interface TestAccounts extends AsyncDisposable {
  service: TestService
  clock: TestClock
  applicationId: string
  key: string
  /** Calls on behalf of the application. */
  call: Call
  /** A new virtual account without calendars. */
  newAccount(email?: string): Promise<Account>
  /** An access token of an account. */
  tokenOf(account: Account): Promise<string>
  /** A new virtual account with a calendar. */
  newCalendarAccount(calendar?: Fields): Promise<Account & { calendarId: string }>
}

/** 2026-06-01, noon in UTC. */
export const noon = 1_780_315_200

/** A service with an application without a grant limit; its clock stands still at `start`. */
export async function openAccounts(
  options: { engine: Engine; env?: Record<string, string>; start?: number } = { engine: 'sqlite' },
): Promise<TestAccounts> {
  const clock = testClock((options.start ?? noon) * 1000)
  const { engine, env } = options
  const service = await openService({ engine, overrides: { clock }, ...(env ? { env } : {}) })
  const { id: applicationId, key } = await service.createApplication('Office')
  const call: Call = (method, path, rest) => service.call(method, path, { key, ...rest })
  const newAccount: TestAccounts['newAccount'] = async (email = `${randomUUID()}@mail.test`) => {
    const { id } = await service.createGrant(email, key)
    return accountOf(call, { grantId: id, email })
  }
  return {
    service,
    clock,
    applicationId,
    key,
    call,
    newAccount,
    async tokenOf({ grantId: grant_id }) {
      const body = { grant_type: 'client_credentials', client_id: applicationId, client_secret: key, grant_id }
      const answer = await service.call('POST', '/v3/connect/token', { key: null, body })
      return expectStatus(answer, 200).body.access_token
    },
    async newCalendarAccount(calendar) {
      const account = await newAccount()
      const { id: calendarId } = await account.createCalendar(calendar)
      return { ...account, calendarId }
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}
