/** Metadata of providers' calendars and events: by application, grant, calendar and id. */
import { randomUUID } from 'node:crypto'
import type { Holder } from '@waypost/store/tables/calendars-contacts/metadata-rows'
import {
  findBookedEvents,
  findTaggedObjects,
  forgetObjectMetadata,
  hasEventMetadata,
  keepObjectMetadata,
  type ObjectName,
  readObjectMetadata,
  removeObjectMetadata,
} from '@waypost/store/tables/calendars-contacts/object-metadata'
import { engines } from '@waypost/testing/engines'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedService, type TestService } from '../../harness.ts'

describe.each(engines)('metadata of objects on %s', (engine) => {
  let service: TestService
  beforeAll(async () => {
    service = await sharedService(engine)
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const newHolder = async (): Promise<Holder> => {
    const { id: applicationId, key } = await service.createApplication()
    const { id: grantId } = await service.createGrant(`${randomUUID()}@mail.test`, key)
    return { applicationId, grantId }
  }
  const event = (id: string, calendarId = 'calendar'): ObjectName => ({ object: 'event', id, calendarId })
  const calendar = (id: string): ObjectName => ({ object: 'calendar', id })
  const keep = (
    at: Holder,
    name: ObjectName,
    metadata: Record<string, string>,
    rest: { masterId?: string; madeAt?: number; now?: number } = {},
  ): Promise<boolean> =>
    service.services.storage.database.transaction((tx) =>
      keepObjectMetadata(tx, at, name, { metadata, masterId: null, madeAt: 1, now: 1, ...rest }),
    )
  const read = async (at: Holder, name: ObjectName) =>
    (await readObjectMetadata(service.services.storage.database, at, [name]))(name)
  const find = async (at: Holder, pairs: { key: string; value: string }[], limit = 10) =>
    findTaggedObjects(
      service.services.storage.database,
      at,
      { object: 'event', calendarId: 'calendar', pairs },
      { after: undefined, limit },
    )

  test('is read by calendar and id, and only by its owner', async () => {
    const at = await newHolder()
    const other = await newHolder()
    await keep(at, event('e'), { key1: 'x', note: 'n' })
    await keep(at, event('e', 'another'), { key1: 'y' })
    await keep(at, calendar('e'), { key1: 'z' })
    expect(await read(at, event('e'))).toEqual({ key1: 'x', note: 'n' })
    expect(await read(at, event('e', 'another'))).toEqual({ key1: 'y' })
    expect(await read(at, calendar('e'))).toEqual({ key1: 'z' })
    expect(await read(at, event('none'))).toBeUndefined()
    expect(await read(other, event('e'))).toBeUndefined()
    expect(await read({ ...at, applicationId: other.applicationId }, event('e'))).toBeUndefined()
    expect(await hasEventMetadata(service.services.storage.database, at, 'e')).toBe(true)
    expect(await hasEventMetadata(service.services.storage.database, other, 'e')).toBe(false)
  })

  test('of many objects is read at once', async () => {
    const at = await newHolder()
    for (let count = 0; count < 60; count += 1) await keep(at, event(`e${count}`), { key1: `${count}` })
    const names = Array.from({ length: 450 }, (_, count) => event(`e${count}`))
    const found = await readObjectMetadata(service.services.storage.database, at, names)
    expect(names.map((name) => found(name)?.key1)).toEqual(
      names.map((_, count) => (count < 60 ? `${count}` : undefined)),
    )
    expect((await readObjectMetadata(service.services.storage.database, at, []))(event('e1'))).toBeUndefined()
  })

  test('is replaced as a whole, and an empty record is none', async () => {
    const at = await newHolder()
    await keep(at, event('e'), { key1: 'x' })
    await keep(at, event('e'), { key2: 'y' })
    expect(await read(at, event('e'))).toEqual({ key2: 'y' })
    expect(await find(at, [{ key: 'key1', value: 'x' }])).toEqual([])
    await keep(at, event('e'), {})
    expect(await read(at, event('e'))).toBeUndefined()
  })

  test('is found by all of its pairs, newest first, in pages', async () => {
    const at = await newHolder()
    for (const [index, id] of ['a', 'b', 'c'].entries())
      await keep(at, event(id), { key1: 'x', key2: id }, { now: index })
    await keep(at, event('d', 'another'), { key1: 'x' })
    const pairs = [{ key: 'key1', value: 'x' }]
    expect((await find(at, pairs)).map(({ id }) => id)).toEqual(['c', 'b', 'a'])
    expect((await find(at, [...pairs, { key: 'key2', value: 'b' }])).map(({ id }) => id)).toEqual(['b'])
    const [first] = await find(at, pairs, 1)
    const of = { object: 'event' as const, calendarId: 'calendar', pairs }
    const rest = await findTaggedObjects(service.services.storage.database, at, of, { after: first, limit: 10 })
    expect(rest.map(({ id }) => id)).toEqual(['b', 'a'])
  })

  test('of a deleted object is deleted, unless it was set again', async () => {
    const at = await newHolder()
    await keep(at, event('e'), { key1: 'x' }, { now: 1 })
    const [tagged] = await find(at, [{ key: 'key1', value: 'x' }])
    if (!tagged) throw new Error('nothing was found')
    await keep(at, event('e'), { key1: 'x' }, { now: 2 })
    await forgetObjectMetadata(service.services.storage.database, at, event('e'), tagged.updatedAt)
    expect(await read(at, event('e'))).toEqual({ key1: 'x' })
    await forgetObjectMetadata(service.services.storage.database, at, event('e'), 2)
    expect(await read(at, event('e'))).toBeUndefined()
  })

  test('of a series is deleted with that of its instances, of a calendar with that of its events', async () => {
    const at = await newHolder()
    const remove = (name: ObjectName) =>
      service.services.storage.database.transaction((tx) => removeObjectMetadata(tx, at, name))
    await keep(at, event('m'), { key1: 'x' })
    await keep(at, event('m_1'), { key1: 'x' }, { masterId: 'm' })
    await keep(at, event('n'), { key1: 'x' })
    await keep(at, event('o', 'another'), { key1: 'x' })
    await remove(event('m'))
    expect((await find(at, [{ key: 'key1', value: 'x' }])).map(({ id }) => id)).toEqual(['n'])
    await keep(at, calendar('calendar'), { key1: 'x' })
    await remove(calendar('calendar'))
    expect(await find(at, [{ key: 'key1', value: 'x' }])).toEqual([])
    expect(await read(at, calendar('calendar'))).toBeUndefined()
    expect(await read(at, event('o', 'another'))).toEqual({ key1: 'x' })
  })

  test('returns the bookings of a group, newest first', async () => {
    const at = await newHolder()
    await keep(at, event('old'), { key5: 'group' }, { madeAt: 10 })
    await keep(at, event('new', 'another'), { key5: 'group' }, { madeAt: 20 })
    await keep(at, event('other'), { key5: 'another group' }, { madeAt: 30 })
    expect(await findBookedEvents(service.services.storage.database, at, 'group', 10)).toEqual([
      { calendarId: 'another', id: 'new', madeAt: 20 },
      { calendarId: 'calendar', id: 'old', madeAt: 10 },
    ])
    expect(await findBookedEvents(service.services.storage.database, at, 'group', 1)).toHaveLength(1)
  })

  test('is not stored for a deleted grant', async () => {
    const at = await newHolder()
    expect(await keep({ ...at, grantId: randomUUID() }, event('e'), { key1: 'x' })).toBe(false)
  })
})
