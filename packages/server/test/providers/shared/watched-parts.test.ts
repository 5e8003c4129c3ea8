/**
 * Parts of an account whose changes the provider refuses to report: how soon they are polled again, and where it is
 * logged.
 */
import type { Grant } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { SessionIo } from '@waypost/providers/io'
import { beforeEach, expect, test } from 'vitest'
import { type WatchedPart, type WatchingSession, watchedParts } from '../../../../providers/src/shared/watched-parts.ts'
import { openProviderPeer } from '../../../../providers/test/shared/provider-peer.ts'
import { notePart } from '../../../src/changes/watcher.ts'
import type { Failure } from '../../../src/grants/activity.ts'
import { wordsOf } from '../../../src/grants/refused-credentials.ts'

await using peer = await openProviderPeer()
const io: SessionIo = Object.assign(Object.create(peer.io), { pollSeconds: 60 })

let session: WatchingSession
beforeEach(() => {
  session = { grant: { id: 'grant' } as Grant, io }
})

/** A part that fails while there is an error, and counts its polls. */
function partThat(name: WatchedPart<WatchingSession>['name']) {
  const seen = { polls: 0, error: undefined as ApiError | undefined }
  const part: WatchedPart<WatchingSession, number> = {
    name,
    isWatched: () => true,
    async since(_, state = 0) {
      seen.polls++
      if (seen.error) throw seen.error
      return { changes: [], state: state + 1 }
    },
  }
  return { seen, part }
}

/** Polls at the times that the source requests, for this long. Returns the seconds of each poll. */
async function pollFor(source: ReturnType<typeof watchedParts<WatchingSession>>, seconds: number): Promise<number[]> {
  const from = peer.now
  const polls: number[] = []
  let cursor: string | undefined = '{}'
  while (peer.now - from <= seconds * 1000) {
    ;({ cursor } = await source.since(session, cursor, { notBefore: 0 }))
    polls.push((peer.now - from) / 1000)
    peer.now += source.restOf(session) * 1000
  }
  return polls
}

test.for(['provider_refused', 'not_found', 'insufficient_scopes', 'invalid_request'] as const)(
  'a part refused with %s is tried again within a minute, then less and less often, at most after an hour',
  async (code) => {
    const { part, seen } = partThat('calendar')
    const source = watchedParts<WatchingSession>([part])
    seen.error = new ApiError(code, 'no')
    const polls = await pollFor(source, 6 * 3600)
    expect(polls.slice(0, 5)).toEqual([0, 30, 90, 210, 450])
    expect((polls.at(-1) ?? 0) - (polls.at(-2) ?? 0)).toBe(3600)
    expect(seen.polls).toBe(polls.length)
  },
)

test('one refusal delays by half a minute, and the recorded state of the part stays', async () => {
  const { part, seen } = partThat('contacts')
  const source = watchedParts<WatchingSession>([part])
  const first = await source.since(session, '{}', { notBefore: 0 })
  seen.error = new ApiError('not_found', 'no')
  const refused = await source.since(session, first.cursor, { notBefore: 0 })
  expect(refused).toMatchObject({ changes: [], cursor: first.cursor, refused: [{ part: 'contacts', failures: 1 }] })
  expect(source.restOf(session)).toBe(30)
  seen.error = undefined
  peer.now += 30_000
  expect(await source.since(session, refused.cursor, { notBefore: 0 })).toEqual({
    changes: [],
    cursor: '{"contacts":2}',
  })
  // The next refusal is the first of its own series.
  seen.error = new ApiError('not_found', 'no')
  expect((await source.since(session, '{}', { notBefore: 0 })).refused).toMatchObject([{ failures: 1 }])
})

test('a refused part does not delay the polls of others', async () => {
  const [calendar, contacts] = [partThat('calendar'), partThat('contacts')]
  const source = watchedParts<WatchingSession>([calendar.part, contacts.part])
  calendar.seen.error = new ApiError('provider_refused', 'no')
  await pollFor(source, 3600)
  expect(contacts.seen.polls).toBeGreaterThan(calendar.seen.polls)
})

test('the timeline of the grant has the first refusal of a series, in words', () => {
  const noted: Failure[] = []
  const activity = { failed: (_: string, failure: Failure) => void noted.push(failure) }
  const watch = { grantId: 'grant', applicationId: 'application', provider: 'microsoft' }
  const error = new ApiError('not_found', 'Microsoft answered 404')
  for (const failures of [1, 2, 3]) notePart(activity, watch, { part: 'calendar', error, failures })
  expect(noted).toMatchObject([{ operation: 'changes', error: { code: 'provider_refused' } }])
  expect(wordsOf(noted[0]?.error)).toBe('changes of calendars cannot be read; retrying: Microsoft answered 404')
})
