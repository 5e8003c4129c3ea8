/** The problems in an overview, derived from its figures. */
import { expect, test } from 'vitest'
import { type Facts, problemsOf } from '../../src/applications/problems.ts'

const well: Facts = {
  isBlocked: false,
  hasWorker: true,
  grantLimit: null,
  grantCount: 0,
  destinations: [],
  retrying: new Map(),
  requests: 1000,
  errors: 0,
  providers: [{ provider: 'google', requests: 1000, errors: 4 }],
  expired: 0,
  notFetched: 0,
  failedJobs: 0,
  now: 1_000_000,
}
const destination: Facts['destinations'][number] = {
  id: 'w1',
  transport: 'webhook',
  webhook_url: 'https://hooks.example.com/waypost?key=1',
  description: '',
  status: 'active',
  status_updated_at: 0,
  waiting: 0,
  failed: 0,
  due_since: null,
}
const codes = (facts: Partial<Facts>): string[] =>
  problemsOf({ ...well, ...facts }).map(({ code, severity }) => `${code} ${severity}`)

test('a quiet application has no problems, and neither has one with a few errors', () => {
  expect(codes({})).toEqual([])
  expect(codes({ requests: 0, providers: [] })).toEqual([])
  expect(codes({ errors: 4 })).toEqual([])
  // Five of a thousand is half a percent.
  expect(codes({ errors: 5 })).toEqual([])
  expect(codes({ providers: [{ provider: 'google', requests: 1000, errors: 49 }] })).toEqual([])
  expect(codes({ destinations: [{ ...destination, waiting: 5, due_since: well.now - 300 }] })).toEqual([])
  expect(codes({ grantLimit: 5, grantCount: 4 })).toEqual([])
})

test('errors count by their share', () => {
  expect(codes({ errors: 11 })).toEqual(['service_errors trouble'])
  expect(codes({ providers: [{ provider: 'google', requests: 1000, errors: 50 }] })).toEqual([
    'provider_errors attention',
  ])
  expect(codes({ providers: [{ provider: 'imap', requests: 10, errors: 5 }] })).toEqual(['provider_errors trouble'])
  // Polls for changes are not requests.
  expect(codes({ providers: [{ provider: 'imap', requests: 0, errors: 6 }] })).toEqual(['provider_errors trouble'])
  const [found] = problemsOf({ ...well, providers: [{ provider: 'imap', requests: 9, errors: 9 }] })
  expect(found).toMatchObject({ provider: 'imap', webhook_id: null, message: '9 errors from imap in the last hour.' })
})

test('destinations are listed separately, by host and never by path', () => {
  const at = (status: 'failed' | 'failing' | 'pause', id: string) => ({ ...destination, id, status })
  const found = problemsOf({ ...well, destinations: [at('pause', 'a'), at('failing', 'b'), at('failed', 'c')] })
  expect(found.map(({ code, webhook_id }) => [code, webhook_id])).toEqual([
    ['destination_failing', 'b'],
    ['destination_failed', 'c'],
    ['destination_paused', 'a'],
  ])
  for (const { message } of found) {
    expect(message).toContain('hooks.example.com')
    expect(message).not.toContain('key=1')
  }
  const late = { ...destination, waiting: 1, due_since: well.now - 301 }
  expect(codes({ destinations: [late] })).toEqual(['deliveries_late attention'])
  expect(problemsOf({ ...well, destinations: [late] })[0]?.message).toContain('5 minutes')
})

test('a problem that stops everything comes first', () => {
  const late = { ...destination, waiting: 1, due_since: 0 }
  expect(codes({ expired: 1, isBlocked: true, hasWorker: false, destinations: [late], notFetched: 2 })).toEqual([
    'application_blocked trouble',
    'no_worker trouble',
    'grants_expired attention',
    'changes_not_fetched attention',
  ])
  expect(codes({ grantLimit: 5, grantCount: 5 })).toEqual(['grant_limit_reached attention'])
})

test('a receiver that accepts nothing is named before its deliveries are late', () => {
  const waits = { ...destination, waiting: 2, due_since: null }
  const [found] = problemsOf({ ...well, destinations: [waits], retrying: new Map([[waits.id, 2]]) })
  expect(found).toMatchObject({ code: 'deliveries_late', severity: 'attention', webhook_id: waits.id })
  expect(found?.message).toContain(
    '2 notifications wait for another attempt, because the receiver at hooks.example.com',
  )
  expect(codes({ destinations: [waits], retrying: new Map([[waits.id, 0]]) })).toEqual([])
})
