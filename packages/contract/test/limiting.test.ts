import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  AgentChange,
  bodyObject,
  contract,
  isStrict,
  KeyRights,
  objectsIn,
  routesOf,
  ServiceAccountChange,
} from '../src/index.ts'
import { limitingFields, limitingObject, resembles, rightsFields } from '../src/limiting.ts'

const rights = { operations: ['mail.read' as const] }
const body = (id: string): z.ZodObject => {
  const named = routesOf(contract).find((each) => each.id === id)
  const found = named && bodyObject(named.route)
  if (!found) throw new Error(`no body of ${id}`)
  return found
}

describe('the objects of requests', () => {
  const bodies = routesOf(contract).flatMap(({ id, route }) => {
    const schema = bodyObject(route)
    return schema ? objectsIn(schema).map((object) => ({ id, audience: route.audience, object })) : []
  })

  test('that have a field of rights, or belong to administration, refuse fields that they do not have', () => {
    const loose = bodies.filter(({ object, audience }) => {
      const limits = audience === 'administrator' || Object.keys(object.shape).some((name) => rightsFields.has(name))
      return limits && !isStrict(object)
    })
    expect(loose.map(({ id, object }) => `${id}: ${Object.keys(object.shape).join(' ')}`)).toEqual([])
    expect(bodies.filter(({ object }) => isStrict(object)).map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        'apiKeys.create',
        'apiKeys.update',
        'agents.update',
        'people.create',
        'serviceAccounts.update',
      ]),
    )
  })

  test('that applications of other services use stay open for further fields', () => {
    expect(bodies.filter(({ id }) => id === 'messages.send').some(({ object }) => isStrict(object))).toBe(false)
    const names = bodies.flatMap(({ object }) => Object.keys(object.shape))
    // A name without a request would have no effect.
    const inQueries = routesOf(contract).flatMap(({ route }) => Object.keys(route.query?.shape ?? {}))
    for (const name of [...limitingFields, ...rightsFields]) expect([...names, ...inQueries]).toContain(name)
  })

  test('an object that limits cannot hold one that ignores fields', () => {
    const inner = z.object({ ids: z.array(z.string()) })
    expect(() => limitingObject({ grants: inner.nullish() })).toThrow(/ids is not strict/)
    expect(() => limitingObject({ grants: z.union([z.null(), z.array(z.record(z.string(), inner))]) })).toThrow(/ids/)
  })
})

describe('a misspelled limit is refused and named', () => {
  test.each([
    ['permissions', { name: 'Key', permissions: ['mail.read'] }],
    ['right', { name: 'Key', right: rights }],
    ['recipients', { name: 'Key', rights, recipients: ['example.com'] }],
    ['recipient', { name: 'Key', rights: { ...rights, recipient: ['example.com'] } }],
    ['grant', { name: 'Key', rights: { ...rights, grant: { ids: ['a'] } } }],
    ['message_per_hour', { name: 'Key', rights: { ...rights, message_per_hour: 3 } }],
    ['id', { name: 'Key', rights: { ...rights, grants: { id: ['a'] } } }],
    [
      '__proto__',
      JSON.parse('{"name":"Key","rights":{"operations":["mail.read"],"__proto__":{"recipients":["a.example"]}}}'),
    ],
  ])('%s', (_, draft) => {
    expect(body('apiKeys.create').safeParse(draft).success).toBe(false)
    expect(body('apiKeys.update').safeParse(draft).success).toBe(false)
  })

  test.each([
    [{ ids: ['a'], metadata: { team: 'one' } }],
    [{ metadata: { team: 'one', region: 'eu' } }],
    [{ metadata: {} }],
    [{ ids: [] }],
    [{}],
    [{ ids: ['a'], id: 'b' }],
  ])('grants that are not one list or one pair: %j', (grants) => {
    const read = KeyRights.safeParse({ ...rights, grants })
    expect(read.error?.issues[0]?.path[0]).toBe('grants')
  })

  test('the message names the field that was probably meant', () => {
    const messageOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]?.message
    expect(messageOf(KeyRights, { ...rights, recipient: [] })).toMatch(/"recipient" is not a field.*mean recipients\?/)
    expect(messageOf(AgentChange, { rigths: rights })).toMatch(/mean rights\?/)
    expect(messageOf(ServiceAccountChange, { permission: [] })).toMatch(/mean permissions\?/)
    expect(messageOf(KeyRights, { ...rights, ['x'.repeat(10_000)]: 1 })?.length).toBeLessThan(500)
  })
})

test('names resemble each other in case, separators, plural and up to two letters', () => {
  for (const [a, b] of [
    ['timeToLive', 'time_to_live'],
    ['recipient', 'recipients'],
    ['messages_per_hours', 'messages_per_hour'],
    ['scop', 'scope'],
    ['requires_sesion_auth', 'requires_session_auth'],
  ] as const) {
    expect([a, resembles(a, b)]).toEqual([a, true])
  }
  for (const [a, b] of [
    ['name', 'scope'],
    ['description', 'time_to_live'],
    ['slope_of_curve', 'scope'],
    ['settings', 'trigger_types'],
  ] as const) {
    expect([a, resembles(a, b)]).toEqual([a, false])
  }
})
