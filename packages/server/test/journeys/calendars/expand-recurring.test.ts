/** The application's setting that decides what a list of events returns without `expand_recurring`. */
import { randomUUID } from 'node:crypto'
import { oneEngineFor } from '@waypost/testing/engines'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Account,
  accountOf,
  type Call,
  expectRefusal,
  expectStatus,
  ids,
  type Json,
  openAccounts,
  span,
} from '../../conformance/accounts.ts'
import type { CallOptions, TestService } from '../../harness.ts'

const june = { start: 1_780_272_000, end: 1_782_864_000 }

interface Tenant {
  id: string
  key: string
  account: Account
  master: Json
  /** Lists events without `expand_recurring` and returns which form it got. */
  form(query?: Record<string, string>): Promise<'instances' | 'masters'>
  choose(expand: unknown): Promise<Json>
}

describe.each(oneEngineFor(import.meta.url))('the default of expand_recurring on %s', (engine) => {
  let accounts: Awaited<ReturnType<typeof openAccounts>>
  let service: TestService
  beforeAll(async () => {
    accounts = await openAccounts({ engine })
    service = accounts.service
  })
  afterAll(() => accounts[Symbol.asyncDispose]())

  /** An application with one account that has a series of three days, marked `key1: red`. */
  const newTenant = async (): Promise<Tenant> => {
    const { id, key } = await service.createApplication()
    const call: Call = (method, path, rest) => service.call(method, path, { key, ...rest })
    const email = `${randomUUID()}@mail.test`
    const account = accountOf(call, { grantId: (await service.createGrant(email, key)).id, email })
    await account.createCalendar()
    const master = await account.create('primary', {
      title: 'Daily',
      when: span('2026-06-02T09:00'),
      recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
      metadata: { key1: 'red' },
    })
    return {
      id,
      key,
      account,
      master,
      form: async (query = {}) => {
        const listed = await account.listAll('primary', { ...june, ...query })
        const expected = listed.some((event) => event.recurrence) ? 1 : 3
        expect(listed).toHaveLength(expected)
        return expected === 1 ? 'masters' : 'instances'
      },
      choose: async (expand) => {
        const answer = await call('PATCH', '/v3/applications', { body: { expand_recurring_default: expand } })
        return expectStatus(answer, 200).body.data
      },
    }
  }
  const read = async (options: CallOptions, path = '/v3/applications') =>
    (await service.call('GET', path, options)).body.data.expand_recurring_default

  test('is true until the application sets false, and again after it resets that', async () => {
    const { key, form, choose } = await newTenant()
    expect(await read({ key })).toBe(true)
    expect(await form()).toBe('instances')
    expect(await choose(false)).toMatchObject({ expand_recurring_default: false })
    expect(await read({ key })).toBe(false)
    expect(await form()).toBe('masters')
    expect(await form({ title: 'daily' })).toBe('masters')
    expect(await choose(true)).toMatchObject({ expand_recurring_default: true })
    expect(await form()).toBe('instances')
  })

  test('is overridden by the request', async () => {
    const { account, master, form, choose } = await newTenant()
    await choose(false)
    expect(await form({ expand_recurring: 'true' })).toBe('instances')
    expect(await form({ expand_recurring: 'true', master_event_id: master.id })).toBe('instances')
    await choose(true)
    expect(await form({ expand_recurring: 'false' })).toBe('masters')
    expectRefusal(await account.get('/events', { calendar_id: 'primary', expand_recurring: 'perhaps' }))
  })

  test('is not a filter: lists by metadata and by UID do not change, and still reject the parameter', async () => {
    const { account, master, choose } = await newTenant()
    for (const expand of [false, true]) {
      await choose(expand)
      for (const filter of [{ metadata_pair: 'key1:red' }, { ical_uid: master.ical_uid }]) {
        expect(ids(await account.list('primary', filter))).toEqual([master.id])
        expectRefusal(
          await account.get('/events', { calendar_id: 'primary', ...filter, expand_recurring: expand }),
          /cannot be combined with expand_recurring/,
        )
      }
    }
  })

  test('does not affect the import of events or other applications', async () => {
    const [one, other] = [await newTenant(), await newTenant()]
    await one.choose(false)
    expect(await other.form()).toBe('instances')
    for (const { account, master } of [one, other]) {
      const imported = await account.get('/events/import', { calendar_id: 'primary', ...june })
      expect(ids(imported.body.data)).toEqual([master.id])
    }
  })

  test('does not change between the pages of one list', async () => {
    const { account, choose } = await newTenant()
    const query = { calendar_id: 'primary', ...june, limit: 1 }
    const first = expectStatus(await account.get('/events', query), 200).body
    await choose(false)
    const second = expectStatus(await account.get('/events', { ...query, page_token: first.next_cursor }), 200).body
    expect([...first.data, ...second.data].map((event: Json) => [event.title, event.recurrence])).toEqual([
      ['Daily', undefined],
      ['Daily', undefined],
    ])
    expect(second.next_cursor).toBeTypeOf('string')
  })

  test('and the other settings do not replace each other', async () => {
    const { key, choose } = await newTenant()
    const change = (body: unknown) => service.call('PATCH', '/v3/applications', { key, body })
    await change({ additional_settings: { allow_query_param_in_redirect_uri: true } })
    await choose(false)
    const queried = { url: 'https://a.test/cb?x=1' }
    expect((await service.call('POST', '/v3/applications/redirect-uris', { key, body: queried })).status).toBe(200)
    // A field that belongs at the top of the object is not read from elsewhere.
    const moved = { rotate_refresh_token: true, expand_recurring_default: true }
    const { data } = (await change({ additional_settings: moved, branding: { name: 'New' } })).body
    expect(data).toMatchObject({ expand_recurring_default: false, branding: { name: 'New' } })
    for (const bad of ['false', null, 0]) {
      const refused = await change({ expand_recurring_default: bad })
      expect(refused.status).toBe(400)
      expect(refused.body.error.validation_errors).toHaveProperty('expand_recurring_default')
    }
    expect(await read({ key })).toBe(false)
  })

  test('can be read by the administrator, and changed on behalf of the application', async () => {
    const { id, key, form } = await newTenant()
    const headers = { 'x-waypost-application': id }
    expect(await read({ admin: true }, `/v3/admin/applications/${id}`)).toBe(true)
    const body = { expand_recurring_default: false }
    expectStatus(await service.call('PATCH', '/v3/applications', { admin: true, headers, body }), 200)
    expect(await read({ admin: true }, `/v3/admin/applications/${id}`)).toBe(false)
    const all: Json[] = (await service.call('GET', '/v3/admin/applications', { admin: true })).body.data
    expect(all.find((one) => one.application_id === id).expand_recurring_default).toBe(false)
    expect(await read({ key })).toBe(false)
    expect(await form()).toBe('masters')
    // Blocking is another change of the same row.
    for (const blocked of [true, false]) {
      await service.call('PATCH', `/v3/admin/applications/${id}`, { admin: true, body: { blocked } })
    }
    expect(await form()).toBe('masters')
  })
})
