/** Push channels of Google: opened once, replaced before they expire, and optional if Google opens none. */
import type { Grant } from '@waypost/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Channels, hasChannels, keepChannels } from '../../src/google/calendar/channels.ts'
import { open } from '../../src/google/session.ts'
import { openProviderPeer, type ProviderPeer } from '../shared/provider-peer.ts'

const day = 86_400_000
const both = { list: true, events: true, calendars: [] }
const main = { list: false, events: true, calendars: [] }

const root = '/calendar/v3/'

let peer: ProviderPeer
beforeAll(async () => {
  peer = await openProviderPeer()
})
afterAll(() => peer[Symbol.asyncDispose]())

/** A session at a Google on loopback, and its requests. */
function sessionOf(options: { push?: boolean; refuse?: boolean } = {}) {
  peer.requested()
  peer.reply((response, { target, body }) => {
    response.statusCode = options.refuse ? 400 : 200
    const { id } = JSON.parse(body)
    response.end(JSON.stringify({ id, resourceId: `resource of ${target}`, expiration: `${peer.now + 7 * day}` }))
  })
  const push = options.push === false ? undefined : { address: 'https://way.test/v3/push/google', token: 'token' }
  const grant = { id: 'grant', email: 'ada@example.com' } as Grant
  return {
    session: open(grant, { ...peer.io, push }),
    requested: () =>
      peer.requested().map(({ target, body }) => ({ path: target.replace(root, ''), body: JSON.parse(body) })),
    advance: (milliseconds: number) => {
      peer.now += milliseconds
    },
  }
}

describe('channels', () => {
  test('are opened for watched parts, and reused', async () => {
    const { session, requested } = sessionOf()
    const channels = await keepChannels(session, {}, both)
    expect(requested().map(({ path, body }) => [path, body.address, body.token])).toEqual([
      ['users/me/calendarList/watch', 'https://way.test/v3/push/google/calendar', 'token'],
      ['calendars/primary/events/watch', 'https://way.test/v3/push/google/calendar', 'token'],
    ])
    expect(hasChannels(channels, both)).toBe(true)
    expect(await keepChannels(session, channels, both)).toEqual(channels)
    expect(requested()).toEqual([])
    expect(JSON.parse(JSON.stringify(channels))).toEqual(channels)
    expect(Object.keys(await keepChannels(session, {}, main))).toEqual(['events'])
  })

  test('are replaced before they expire, and the replaced ones are stopped', async () => {
    const { session, requested, advance } = sessionOf()
    const before = await keepChannels(session, {}, main)
    requested()
    advance(6 * day)
    const after = await keepChannels(session, before, main)
    expect(requested().map(({ path, body }) => [path, body.id])).toEqual([
      ['calendars/primary/events/watch', after.events?.id],
      ['channels/stop', before.events?.id],
    ])
    expect(after.events?.id).not.toBe(before.events?.id)
    // An expired one needs no stopping.
    advance(8 * day)
    await keepChannels(session, after, main)
    expect(requested()).toHaveLength(1)
  })

  test('are opened again if they would post to another address', async () => {
    const { session, requested } = sessionOf()
    const before = await keepChannels(session, {}, main)
    requested()
    const moved: Channels = before.events ? { events: { ...before.events, address: 'https://old.test' } } : {}
    await keepChannels(session, moved, main)
    expect(requested().map(({ path }) => path)).toEqual(['calendars/primary/events/watch', 'channels/stop'])
  })

  test('are requested again after an hour if Google opens none', async () => {
    const { session, requested, advance } = sessionOf({ refuse: true })
    const refused = await keepChannels(session, {}, both)
    expect(requested()).toHaveLength(1)
    expect(hasChannels(refused, both)).toBe(false)
    await keepChannels(session, refused, both)
    expect(requested()).toEqual([])
    advance(3_600_001)
    await keepChannels(session, refused, both)
    expect(requested()).toHaveLength(1)
  })

  test('are opened for every other calendar separately, and stopped when it is deleted', async () => {
    const { session, requested } = sessionOf()
    const watched = { ...main, calendars: ['one@group', 'two@group'] }
    const channels = await keepChannels(session, {}, watched)
    expect(requested().map(({ path }) => path)).toEqual([
      'calendars/primary/events/watch',
      'calendars/one%40group/events/watch',
      'calendars/two%40group/events/watch',
    ])
    expect(hasChannels(channels, watched)).toBe(true)
    expect(hasChannels(channels, { ...main, calendars: ['three@group'] })).toBe(false)
    expect(await keepChannels(session, channels, watched)).toEqual(channels)
    expect(requested()).toEqual([])
    const fewer = await keepChannels(session, channels, { ...main, calendars: ['two@group'] })
    const gone = channels.calendars?.['one@group']?.current
    expect(requested()).toEqual([{ path: 'channels/stop', body: { id: gone?.id, resourceId: gone?.resourceId } }])
    expect(Object.keys(fewer.calendars ?? {})).toEqual(['two@group'])
  })

  test('that Google does not open for one calendar, such as holidays, do not delay the others', async () => {
    const { session, requested, advance } = sessionOf()
    peer.reply((response, { target, body }) => {
      const holidays = target.includes('holiday')
      response.statusCode = holidays ? 400 : 200
      const opened = { id: JSON.parse(body).id, resourceId: 'resource', expiration: `${peer.now + 7 * day}` }
      const reason = 'pushNotSupportedForRequestedResource'
      response.end(JSON.stringify(holidays ? { error: { code: 400, errors: [{ reason }] } } : opened))
    })
    const watched = { ...both, calendars: ['a#holiday@group.v.calendar.google.com', 'two@group'] }
    const channels = await keepChannels(session, {}, watched)
    expect(requested()).toHaveLength(4)
    expect(Object.values(channels.calendars ?? {}).map(({ current }) => current !== undefined)).toEqual([false, true])
    // Holidays are polled as rarely as pushed calendars.
    expect(hasChannels(channels, watched)).toBe(true)
    await keepChannels(session, channels, watched)
    expect(requested()).toEqual([])
    advance(3_600_001)
    await keepChannels(session, channels, watched)
    expect(requested()).toHaveLength(1)
  })

  test('are not opened if Google cannot reach us', async () => {
    const { session, requested } = sessionOf({ push: false })
    expect(await keepChannels(session, {}, both)).toEqual({})
    expect(requested()).toEqual([])
  })
})
