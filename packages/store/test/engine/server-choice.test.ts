import { describe, expect, test } from 'vitest'
import { chooseServer, type Examined, isCertain, type ServerState, whyNot } from '../../src/engine/server-choice.ts'

const primary = (timeline?: number): ServerState => ({ isStandby: false, isReadOnly: false, timeline })
const readOnly = (timeline?: number): ServerState => ({ isStandby: false, isReadOnly: true, timeline })
const standby: ServerState = { isStandby: true, isReadOnly: true, timeline: undefined }
const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

const examined = (states: Record<string, ServerState | Error>): Examined<string>[] =>
  Object.entries(states).map(([server, found]) =>
    found instanceof Error ? { server, error: found } : { server, state: found },
  )

describe('the choice of a server', () => {
  test.for<[what: string, states: Record<string, ServerState | Error>, chosen: string | undefined]>([
    ['the primary, wherever it is in the list', { a: standby, b: primary(1) }, 'b'],
    ['the primary next to a dead host', { a: refused, b: primary(1) }, 'b'],
    ['the first of equal ones', { a: primary(), b: primary() }, 'a'],
    ['the one that was promoted last, if two believe to be primary', { a: primary(3), b: primary(4) }, 'b'],
    ['a read-only primary, if there is no other', { a: readOnly(1), b: standby }, 'a'],
    ['a writable one rather than a read-only one', { a: readOnly(), b: primary() }, 'b'],
    ['no standby', { a: refused, b: standby }, undefined],
    ['no server that a newer one replaced', { a: primary(1), b: refused }, undefined],
  ])('takes %s', ([what, states, chosen]) => {
    const newest = what.includes('replaced') ? 2 : 0
    expect(chooseServer(examined(states), { attributes: 'read-write', newest })).toBe(chosen)
  })

  test('takes a standby only where any server is wanted and no primary answers', () => {
    const wanted = { attributes: 'any', newest: 0 } as const
    expect(chooseServer(examined({ a: standby, b: refused }), wanted)).toBe('a')
    expect(chooseServer(examined({ a: standby, b: primary(1) }), wanted)).toBe('b')
  })

  test('is certain once a server with a newer timeline accepts changes', () => {
    const wanted = { attributes: 'read-write', newest: 2 } as const
    expect(isCertain(examined({ a: primary(2), b: refused }), wanted)).toBe(false)
    expect(isCertain(examined({ a: refused, b: primary(3) }), wanted)).toBe(true)
  })

  test('explains why a server is not used', () => {
    const wanted = { attributes: 'read-write', newest: 5 } as const
    const words = examined({ a: refused, b: standby, c: primary(4), d: new Error('timeout'), e: readOnly(5) })
    expect(words.map((each) => whyNot(each, wanted))).toEqual([
      'nothing listens there',
      'it is a standby, which accepts no changes',
      'it was replaced: its timeline is 4, and the newest is 5',
      'it does not answer',
      'it is read-only',
    ])
  })
})
