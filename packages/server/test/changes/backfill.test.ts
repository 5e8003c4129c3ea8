import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { backfillOf, isReported, type Kind, kindOf, type Outage } from '../../src/changes/backfill.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** The first authentication, long ago, and the last contact with the provider. */
const first = Date.UTC(2026, 0, 1)
const accepted = Date.UTC(2026, 5, 1)

const outage = (fields: Partial<Outage>): Outage => ({
  firstAuthenticatedAt: first,
  acceptedAt: accepted,
  syncedAt: accepted - 10 * minute,
  reauthenticatedAt: accepted + hour,
  ...fields,
})

describe('the 72-hour rule after re-authentication', () => {
  test.each([
    ['at once', 0],
    ['an hour', hour],
    ['71:59:59.999', 72 * hour - 1],
  ])('less than 72 hours (%s): the changes since the last successful sync', (_name, length) => {
    expect(backfillOf('sync', outage({ reauthenticatedAt: accepted + length }))).toEqual({
      reported: 'missed',
      from: accepted - 10 * minute,
    })
  })

  test.each([
    ['exactly 72 hours', 72 * hour],
    ['a millisecond more', 72 * hour + 1],
    ['a year', 365 * day],
  ])('72 hours or more (%s): nothing, from now', (_name, length) => {
    const reauthenticatedAt = accepted + length
    for (const kind of ['sync', 'tracking'] as const)
      expect(backfillOf(kind, outage({ reauthenticatedAt }))).toEqual({ reported: 'from_now', from: reauthenticatedAt })
  })

  test('is measured from the last time the provider accepted the credentials, not from the last sync', () => {
    const requested = outage({ syncedAt: accepted - 10 * day, reauthenticatedAt: accepted + 71 * hour })
    expect(backfillOf('sync', requested)).toEqual({ reported: 'missed', from: accepted - 10 * day })
  })

  test('a successful sync counts as an acceptance too', () => {
    const requested = outage({
      acceptedAt: accepted - 30 * day,
      syncedAt: accepted,
      reauthenticatedAt: accepted + hour,
    })
    expect(backfillOf('sync', requested)).toEqual({ reported: 'missed', from: accepted })
    expect(backfillOf('sync', { ...requested, acceptedAt: undefined })).toEqual({ reported: 'missed', from: accepted })
  })

  test('a grant that was never synced is reported from its first authentication on', () => {
    const requested = { firstAuthenticatedAt: first, reauthenticatedAt: first + hour }
    expect(backfillOf('sync', requested)).toEqual({ reported: 'missed', from: first })
    expect(backfillOf('sync', { ...requested, acceptedAt: first + 10 * minute })).toEqual({
      reported: 'missed',
      from: first,
    })
    expect(backfillOf('sync', { ...requested, reauthenticatedAt: first + 72 * hour })).toEqual({
      reported: 'from_now',
      from: first + 72 * hour,
    })
  })

  test('nothing older than the first authentication is reported, whatever the last sync says', () => {
    const requested = outage({ firstAuthenticatedAt: accepted - minute })
    expect(backfillOf('sync', requested)).toEqual({ reported: 'missed', from: accepted - minute })
  })

  test('a clock that stepped back makes a short outage, and nothing after it is held back', () => {
    const requested = outage({ syncedAt: accepted, reauthenticatedAt: accepted - 2 * hour })
    for (const kind of ['sync', 'tracking'] as const)
      expect(backfillOf(kind, requested)).toEqual({ reported: 'missed', from: accepted - 2 * hour })
  })
})

describe('tracking notifications', () => {
  test('held during a short outage are reported from its beginning', () => {
    expect(backfillOf('tracking', outage({}))).toEqual({ reported: 'missed', from: accepted })
  })

  test('from an outage of 72 hours or longer are never reported', () => {
    const backfill = backfillOf('tracking', outage({ reauthenticatedAt: accepted + 72 * hour }))
    expect(isReported(backfill, accepted + 71 * hour)).toBe(false)
    expect(isReported(backfill, accepted + 72 * hour)).toBe(true)
  })
})

describe('notifications of the grant itself', () => {
  test.each([0, hour, 72 * hour, 365 * day, -hour])('are always reported (an outage of %i ms)', (length) => {
    const backfill = backfillOf('grant', outage({ reauthenticatedAt: accepted + length }))
    expect(backfill).toEqual({ reported: 'always' })
    for (const at of [first, accepted, accepted + length, accepted + 400 * day])
      expect(isReported(backfill, at)).toBe(true)
  })
})

test.each<[string, Kind]>([
  ['grant.created', 'grant'],
  ['grant.updated', 'grant'],
  ['grant.expired', 'grant'],
  ['grant.deleted', 'grant'],
  ['message.opened', 'tracking'],
  ['message.link_clicked', 'tracking'],
  ['thread.replied', 'tracking'],
  ['message.opened.legacy', 'tracking'],
  ['message.created', 'sync'],
  ['message.updated.truncated', 'sync'],
  ['message.bounce_detected', 'sync'],
  ['calendar.created', 'sync'],
  ['event.updated', 'sync'],
  ['contact.deleted', 'sync'],
  ['folder.updated', 'sync'],
])('%s is of the kind %s', (trigger, kind) => {
  expect(kindOf(trigger)).toBe(kind)
})

test('for any times: nothing before the first authentication, everything after the re-authentication', () => {
  const time = fc.integer({ min: first, max: first + 10 * day })
  const times = fc.record({
    firstAuthenticatedAt: time,
    acceptedAt: fc.option(time, { nil: undefined }),
    syncedAt: fc.option(time, { nil: undefined }),
    reauthenticatedAt: time,
  })
  fc.assert(
    fc.property(times, fc.constantFrom<Kind>('sync', 'tracking'), (requested, kind) => {
      const backfill = backfillOf(kind, requested)
      expect(isReported(backfill, Math.max(requested.firstAuthenticatedAt, requested.reauthenticatedAt))).toBe(true)
      const reached = Math.max(requested.firstAuthenticatedAt, requested.acceptedAt ?? 0, requested.syncedAt ?? 0)
      const long = requested.reauthenticatedAt >= reached + 72 * hour
      expect(backfill.reported).toBe(long ? 'from_now' : 'missed')
      expect(isReported(backfill, requested.firstAuthenticatedAt - 1)).toBe(false)
      if (long) expect(isReported(backfill, requested.reauthenticatedAt - 1)).toBe(false)
      else if (kind === 'sync' && requested.syncedAt !== undefined)
        expect(isReported(backfill, Math.max(requested.syncedAt, requested.firstAuthenticatedAt))).toBe(true)
    }),
    { numRuns: runs(2000) },
  )
})
