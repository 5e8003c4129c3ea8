/** The store queries of event changes: which statements, and on PostgreSQL how many round trips. */
import { Socket } from 'node:net'
import { engines } from '@waypost/testing/engines'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openService, type TestService } from '../../harness.ts'

const time = { when: { start_time: 1_798_790_400, end_time: 1_798_794_000 } }

/** Finds the caller, and the grant in the path. */
const admission = 'api_keys.holderAndGrant'

describe.each(engines)('a change of an event on %s', (engine) => {
  let service: TestService
  let key: string
  let at: string
  let path: string

  beforeAll(async () => {
    service = await openService({ engine })
    key = (await service.createApplication()).key
    const grant = await service.createGrant('writer@statements.test', key)
    at = `/v3/grants/${grant.id}`
    await service.call('POST', `${at}/calendars`, { key, body: { name: 'One' } })
    const made = await service.call('POST', `${at}/events?calendar_id=primary`, { key, body: time })
    path = `${at}/events/${made.body.data.id}?calendar_id=primary`
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const ofEvents = /^(events|calendars|grants|notification|deliveries|outbox|api_keys)/
  /** The statements of a call about events, by name and count, without background work. */
  const statementsOf = async (work: () => Promise<unknown>): Promise<Record<string, number>> => {
    const { figures } = service.services.storage.database
    const before = new Map(Array.from(figures.statements(), ([name, { count }]) => [name, count]))
    await work()
    const since = Array.from(
      figures.statements(),
      ([name, { count }]) => [name, count - (before.get(name) ?? 0)] as const,
    )
    return Object.fromEntries(since.filter(([name, count]) => count > 0 && ofEvents.test(name)))
  }
  /** SQLite locks nothing, and a notification is counted before it is encrypted. */
  const lock = engine === 'postgresql' ? { 'grants.lock': 1 } : {}
  const reported =
    engine === 'postgresql'
      ? { 'notifications.add': 1 }
      : { 'notification_sequences.next': 1, 'notifications.insert': 1 }
  const read = { [admission]: 1, ...lock, 'calendars.primary': 1 }

  const create = () =>
    service.call('POST', `${at}/events?calendar_id=primary`, { key, body: { ...time, title: 'New' } })
  const update = (body: object) => () => service.call('PUT', path, { key, body })

  test('that creates one reads its calendar, writes the event and notifies it', async () => {
    expect(await statementsOf(create)).toEqual({ ...read, 'events.insert': 1, ...reported })
  })

  test('that touches no index writes only the document', async () => {
    const statements = await statementsOf(update({ title: 'Another', description: 'Other words' }))
    expect(statements).toEqual({ ...read, 'events.get': 1, 'events.rewrite': 1, ...reported })
  })

  test('that moves it, or changes its metadata, also writes its index entries', async () => {
    const moved = { when: { start_time: 1_798_797_600, end_time: 1_798_801_200 } }
    expect(await statementsOf(update(moved))).toEqual({ ...read, 'events.get': 1, 'events.update': 1, ...reported })
    const listed = async (start: number) => {
      const window = `calendar_id=primary&start=${start}&end=${start + 60}`
      const { body } = await service.call('GET', `${at}/events?${window}`, { key })
      return body.data.map(({ id }: { id: string }) => id)
    }
    const id = path.slice(path.lastIndexOf('/') + 1, path.indexOf('?'))
    expect(await listed(moved.when.start_time)).toContain(id)
    expect(await listed(time.when.start_time)).not.toContain(id)
    // Metadata is not notified.
    expect(await statementsOf(update({ metadata: { key1: 'mine' } }))).toEqual({
      ...{ ...read, 'events.get': 1, 'events.update': 1 },
    })
    const { body } = await service.call('GET', `${at}/events?calendar_id=primary&metadata_pair=key1:mine`, { key })
    expect(body.data).toMatchObject([{ id, metadata: { key1: 'mine' }, title: 'Another' }])
  })

  test('of a series lets pages read only that series again', async () => {
    const grant = await service.createGrant('series@statements.test', key)
    const events = `/v3/grants/${grant.id}/events`
    await service.call('POST', `/v3/grants/${grant.id}/calendars`, { key, body: { name: 'Two' } })
    const { start_time: start } = time.when
    const addAt = async (at: number) => {
      const when = { start_time: at, end_time: at + 60 }
      const body = { title: 'Daily', when, recurrence: ['RRULE:FREQ=DAILY'] }
      return (await service.call('POST', `${events}?calendar_id=primary`, { key, body })).body.data.id
    }
    const pageAt = (at: number) => () =>
      service.call('GET', `${events}?calendar_id=primary&start=${at}&end=${at + 60}`, { key })
    const reads = async (work: () => Promise<unknown>) => (await statementsOf(work))['events.documents'] ?? 0
    const changed = await addAt(start)
    await addAt(start + 3600)
    expect([await reads(pageAt(start)), await reads(pageAt(start + 3600))]).toEqual([1, 1])
    await service.call('PUT', `${events}/${changed}?calendar_id=primary`, { key, body: { title: 'Another' } })
    expect([await reads(pageAt(start)), await reads(pageAt(start + 3600))]).toEqual([1, 0])
    expect((await pageAt(start)()).body.data).toMatchObject([{ title: 'Another' }])
    expect((await pageAt(start + 3600)()).body.data).toMatchObject([{ title: 'Daily' }])
  })

  test('that is not notified is not encrypted', async () => {
    const other = await openService({ engine, stream: false })
    try {
      const application = await other.createApplication()
      const grant = await other.createGrant('unheard@statements.test', application.key)
      const options = { key: application.key }
      const events = `/v3/grants/${grant.id}/events?calendar_id=primary`
      await other.call('POST', `/v3/grants/${grant.id}/calendars`, { ...options, body: { name: 'One' } })
      await other.call('POST', events, { ...options, body: time })
      const count = (name: string) => other.services.storage.database.figures.statements().get(name)?.count ?? 0
      expect(count('events.insert')).toBe(1)
      expect(count('notifications.insert')).toBe(0)
    } finally {
      await other[Symbol.asyncDispose]()
    }
  })

  test.runIf(engine === 'postgresql')(
    'is sent to PostgreSQL in at most seven messages: the caller and the grant, the rows to change, the new rows',
    async () => {
      // Requests do not use a port here: all traffic goes to the store.
      let sent = 0
      for (const name of ['_write', '_writev'] as const) {
        const original = Socket.prototype[name] as (...args: unknown[]) => void
        vi.spyOn(Socket.prototype, name).mockImplementation(function (this: Socket, ...args: unknown[]) {
          sent++
          return original.apply(this, args)
        } as never)
      }
      try {
        const fewest = async (work: () => Promise<unknown>): Promise<number> => {
          let least = Number.POSITIVE_INFINITY
          // Background work may be counted too, but not every time.
          for (let round = 0; round < 5; round++) {
            sent = 0
            await work()
            least = Math.min(least, sent)
          }
          return least
        }
        expect(await fewest(create)).toBeLessThanOrEqual(7)
        expect(await fewest(update({ title: 'Once more' }))).toBeLessThanOrEqual(7)
      } finally {
        vi.restoreAllMocks()
      }
    },
  )
})
