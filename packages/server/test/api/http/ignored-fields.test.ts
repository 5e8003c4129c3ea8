import { bodyObject, contract, routesOf } from '@waypost/contract'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { knownOf, tellIgnored, unknownFields } from '../../../src/api/http/ignored-fields.ts'

const Body = z.object({
  title: z.string().nullish(),
  guests: z.array(z.object({ email: z.string(), rooms: z.array(z.object({ id: z.string() })).optional() })).default([]),
  details: z.looseObject({ url: z.string(), owner: z.object({ name: z.string() }).optional() }).optional(),
  notes: z.record(z.string(), z.unknown()),
  people: z.record(z.string(), z.object({ age: z.number() })),
  when: z.object({ from: z.number() }).transform(({ from }) => ({ start: from })),
  spelled: z.preprocess((value) => value, z.object({ one: z.string() })),
})

describe('ignored fields', () => {
  const known = knownOf(Body)
  test.each([
    ['a name of the body', { titel: 1 }, ['titel']],
    ['names that every object has', { constructor: 1, toString: 2 }, ['constructor', 'toString']],
    ['a name in a list, once', { guests: [{ email: '', vip: 1 }, { vip: 2 }] }, ['guests.vip']],
    ['lists in lists', { guests: [{ rooms: [{ id: '', size: 1 }] }] }, ['guests.rooms.size']],
    ['below what takes any name', { details: { url: '', any: { x: 1 }, owner: { y: 1 } } }, ['details.owner.y']],
    ['pairs of any value', { notes: { a: { b: [{}] } } }, []],
    ['values of pairs', { people: { ann: { age: 1, height: 2 } } }, ['people.ann.height']],
    ['what is made into something else', { when: { from: 1, to: 2 } }, ['when.to']],
    ['what is first brought into another form', { spelled: { two: 2 } }, []],
    ['values of another kind', { guests: { email: 1 }, when: null, title: { x: 1 } }, ['guests.email']],
  ])('are found: %s', (_, body, names) => {
    expect(unknownFields(known, body)).toEqual(names)
  })

  test('are listed in a header of bounded length that says when there are more', () => {
    const guests = Array.from({ length: 5_000 }, (_, n) => ({ email: '', [`${n}${'界'.repeat(100)}`]: n }))
    const headers: Record<string, string> = { 'x-ignored-fields': 'status' }
    tellIgnored(headers, unknownFields(known, { guests, titel: 1 }))
    expect(headers['x-ignored-fields']).toMatch(/^status, guests\.0(%E7%95%8C){59}(, guests[^,]*)*, \.\.\.$/)
    expect(headers['x-ignored-fields']?.length).toBeLessThan(1100)
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`n${n}`, n]))
    const reported: Record<string, string> = {}
    tellIgnored(reported, unknownFields(known, many))
    expect(reported['x-ignored-fields']?.split(', ')).toEqual([...Array.from({ length: 20 }, (_, n) => `n${n}`), '...'])
  })

  test('are refused if they were probably meant to limit something', () => {
    const open = knownOf(
      z.object({ scope: z.array(z.string()), pages: z.array(z.object({ time_to_live: z.number() })) }),
    )
    expect(() => unknownFields(open, { Scope: [] })).toThrow(/^Scope: is not a field. Did you mean scope\?/)
    expect(() => unknownFields(open, { pages: [{ timeToLive: 5 }] })).toThrow(/^pages.timeToLive: .*time_to_live/)
    expect(unknownFields(open, { pages: [{ colour: 5 }], scopist: 1 })).toEqual(['pages.colour', 'scopist'])
  })

  test('are found in every object of the contract', () => {
    const hidden = routesOf(contract).flatMap(({ id, route }) =>
      Object.entries(bodyObject(route)?.shape ?? {}).flatMap(([name, field]) => hiddenIn(field, `${id} ${name}`)),
    )
    expect(hidden).toEqual([])
  })
})

/** Objects of a schema that `knownOf` misses: found independently, by their JSON schema. */
function hiddenIn(schema: z.core.$ZodType, name: string): string[] {
  const text = JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
  return knownOf(schema) === 'any' && text.includes('"properties":{"') ? [name] : []
}
