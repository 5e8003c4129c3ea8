import type { Grant } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { SessionIo } from '../../src/io.ts'
import type { Change, ChangeSource } from '../../src/provider.ts'
import { type MailChanges, mailAndParts } from '../../src/shared/mail-and-parts.ts'
import type { WatchedPart, WatchingSession } from '../../src/shared/watched-parts.ts'

const change = (id: string): Change =>
  ({ trigger: 'folder.created', object: { id }, happenedAt: 1 }) as unknown as Change
const idsOf = (changes: readonly Change[]): unknown[] => changes.map(({ object }) => (object as { id: string }).id)

const mail = {
  since: vi.fn<MailChanges<WatchingSession>['since']>(),
  wait: vi.fn<MailChanges<WatchingSession>['wait']>(),
}
const part = {
  name: 'calendar' as const,
  isWatched: () => true,
  since: vi.fn<WatchedPart<WatchingSession, number>['since']>(),
}
const options = { notBefore: 1_000 }
let session: WatchingSession
let source: ChangeSource<WatchingSession>

beforeEach(() => {
  vi.resetAllMocks()
  const io = {
    pollSeconds: 60,
    clock: { now: () => 5_000 },
    signal: new AbortController().signal,
    log: { info() {}, warn() {} },
  }
  session = { grant: { id: 'g' } as Grant, io: io as unknown as SessionIo }
  source = mailAndParts(mail, [part])
  mail.since.mockImplementation(async (_session, cursor) => ({ changes: [], cursor: `${cursor ?? 'mail'}+` }))
  part.since.mockImplementation(async (_session, state = 0) => ({ changes: [], state: state + 1 }))
})

describe('mail and other parts', () => {
  test('start together, and continue from one cursor', async () => {
    const first = await source.since(session, undefined, options)
    expect(mail.since).toHaveBeenLastCalledWith(session, undefined, options)
    expect(part.since).toHaveBeenLastCalledWith(session, undefined, options)
    await source.since({ ...session }, first.cursor, options)
    expect(mail.since.mock.lastCall?.[1]).toBe('mail+')
    expect(part.since.mock.lastCall?.[1]).toBe(1)
  })

  test('are notified together, with the contacts gathered from mail', async () => {
    const people = [{ email: 'bob@x.test', name: 'Bob', at: 1, isNews: true }]
    mail.since.mockResolvedValue({ changes: [change('mail')], cursor: 'm', people })
    part.since.mockResolvedValue({ changes: [change('event')], state: 1 })
    const found = await source.since(session, undefined, options)
    expect(idsOf(found.changes)).toEqual(['mail', 'event'])
    expect(found.people).toBe(people)
  })

  test('have separate schedules: mail is polled on its events, the others at their time', async () => {
    const { cursor } = await source.since(session, undefined, options)
    await source.wait(session, session.io.signal)
    const [, , longest = 0] = mail.wait.mock.lastCall ?? []
    expect(longest).toBeGreaterThan(0)
    expect(longest).toBeLessThanOrEqual(60_000)
    const next = await source.since(session, cursor, options)
    expect([mail.since.mock.calls.length, part.since.mock.calls.length]).toEqual([2, 1])
    expect(JSON.parse(next.cursor)).toEqual({ m: 'mail++', p: JSON.stringify({ calendar: 1 }) })
  })

  test('that fail do not delay mail, and are retried later', async () => {
    part.since.mockRejectedValue(new ApiError('provider_unavailable'))
    mail.since.mockResolvedValue({ changes: [change('mail')], cursor: 'm' })
    const found = await source.since(session, undefined, options)
    expect(idsOf(found.changes)).toEqual(['mail'])
    await source.since(session, found.cursor, options)
    expect(part.since).toHaveBeenCalledTimes(1)
    part.since.mockResolvedValue({ changes: [change('event')], state: 1 })
    const later = await source.since({ ...session }, found.cursor, options)
    expect(part.since.mock.lastCall?.slice(1)).toEqual([undefined, options])
    expect(idsOf(later.changes)).toEqual(['mail', 'event'])
  })

  test('are notified once if the mail server fails', async () => {
    const { cursor } = await source.since(session, undefined, options)
    mail.since.mockRejectedValue(new ApiError('provider_unavailable', 'no mail'))
    part.since.mockResolvedValue({ changes: [change('event')], state: 2 })
    const another = { ...session }
    const found = await source.since(another, cursor, options)
    expect(idsOf(found.changes)).toEqual(['event'])
    expect(found.more).toBe(true)
    await expect(source.since(another, found.cursor, options)).rejects.toThrow('no mail')
  })

  test('of an account that had only mail start now, and its mail continues where it was', async () => {
    const before = JSON.stringify({ f: {}, r: {} })
    await source.since(session, before, options)
    expect(mail.since.mock.lastCall?.[1]).toBe(before)
    expect(part.since.mock.lastCall?.slice(1)).toMatchObject([undefined, { notBefore: 5_000 }])
  })

  test('end with the grant if the credentials are refused', async () => {
    part.since.mockRejectedValue(new ApiError('grant_invalid'))
    await expect(source.since(session, undefined, options)).rejects.toMatchObject({ code: 'grant_invalid' })
  })
})
