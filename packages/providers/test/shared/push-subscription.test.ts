/**
 * Subscriptions at a provider on loopback: created, renewed before they end, replaced, forgotten, and optional if
 * refused.
 */

import { ApiError } from '@waypost/platform/api-error'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { jsonOf } from '../../src/shared/answer.ts'
import { accepted, type ExchangeRules, type Method } from '../../src/shared/exchange.ts'
import {
  keepSubscription,
  type PushSubscription,
  type StoredSubscription,
  type SubscriptionSource,
} from '../../src/shared/push-subscription.ts'
import type { WatchingSession } from '../../src/shared/watched-parts.ts'
import { openProviderPeer, type ProviderPeer } from './provider-peer.ts'

interface Sub extends PushSubscription {
  id: string
  address: string
}

const day = 86_400_000
const hour = 3_600_000
let peer: ProviderPeer
beforeAll(async () => {
  peer = await openProviderPeer()
})
afterAll(() => peer[Symbol.asyncDispose]())

const codes: Record<number, 'grant_invalid' | 'not_found'> = { 401: 'grant_invalid', 404: 'not_found' }
const rules: ExchangeRules = {
  name: 'Example',
  headers: {},
  refused: ({ status }) => new ApiError(codes[status] ?? 'provider_refused', 'words of the provider'),
}
const statuses = new Map<string, number>()
const call = async (method: Method, path: string): Promise<string> => {
  const request = { url: `${peer.url}${path}`, method, headers: {}, maxBytes: 1000, deadlineMs: 20_000 }
  return String(await accepted(peer.io, request, rules, { take: ({ body }) => jsonOf(body, rules, peer.io) }))
}

let made = 0
beforeEach(() => {
  peer.requested()
  statuses.clear()
  peer.warnings.length = 0
  made = 0
  peer.reply((response, { method }) => {
    response.statusCode = statuses.get(method) ?? 200
    response.end(JSON.stringify(`sub-${method === 'POST' ? ++made : made}`))
  })
})

const session = (): WatchingSession => ({ grant: { id: 'g' }, io: peer.io }) as unknown as WatchingSession
const source = (more: Partial<SubscriptionSource<Sub>> = {}): SubscriptionSource<Sub> => ({
  refusal: 'the provider opens no subscription',
  renewMs: day,
  isCurrent: ({ address }) => address === 'here',
  create: async () => ({ id: await call('POST', '/'), expires: peer.now + 7 * day, address: 'here' }),
  end: async ({ id }) => void (await call('DELETE', `/${id}`)),
  ...more,
})
const renew = async (sub: Sub): Promise<Sub> => {
  await call('PATCH', `/${sub.id}`)
  return { ...sub, expires: peer.now + 7 * day }
}
const keep = async (
  retained: StoredSubscription<Sub>,
  more?: Partial<SubscriptionSource<Sub>>,
  options?: { renewPush: boolean },
) => {
  const next = await keepSubscription(session(), retained, source(more), options)
  return { next: JSON.parse(JSON.stringify(next)) as typeof next, requested: peer.requested().map(requestedOf) }
}
const requestedOf = ({ method, target }: { method: string; target: string }): string => `${method} ${target}`

describe('a subscription', () => {
  test('is created once, and reused while it lasts', async () => {
    const { next, requested } = await keep({})
    expect(requested).toEqual(['POST /'])
    expect(next).toEqual({ current: { id: 'sub-1', expires: peer.now + 7 * day, address: 'here' } })
    peer.now += 5 * day
    expect(await keep(next)).toEqual({ next, requested: [] })
  })

  test('is replaced before it ends, and the old one is deleted', async () => {
    const { next } = await keep({})
    peer.now += 6.5 * day
    const replaced = await keep(next)
    expect(replaced.requested).toEqual(['POST /', 'DELETE /sub-1'])
    expect(replaced.next.current?.id).toBe('sub-2')
    // An expired one need not be deleted.
    peer.now += 8 * day
    expect((await keep(replaced.next)).requested).toEqual(['POST /'])
  })

  test('is replaced even if the old one cannot be deleted', async () => {
    const { next } = await keep({})
    peer.now += 6.5 * day
    statuses.set('DELETE', 400)
    expect((await keep(next)).next.current?.id).toBe('sub-2')
  })

  test('is renewed if the provider supports it, and replaced if it no longer exists', async () => {
    const { next } = await keep({})
    peer.now += 6.5 * day
    const renewed = await keep(next, { renew })
    expect(renewed.requested).toEqual(['PATCH /sub-1'])
    expect(renewed.next.current).toEqual({ id: 'sub-1', expires: peer.now + 7 * day, address: 'here' })
    peer.now += 6.5 * day
    statuses.set('PATCH', 404)
    const replaced = await keep(renewed.next, { renew })
    expect(replaced.requested.slice(0, 2)).toEqual(['PATCH /sub-1', 'POST /'])
    expect(replaced.next.current?.id).toBe('sub-2')
  })

  test('is renewed early if the provider requires it, and replaced if it no longer exists', async () => {
    const { next } = await keep({})
    const renewed = await keep(next, { renew }, { renewPush: true })
    expect(renewed.requested).toEqual(['PATCH /sub-1'])
    statuses.set('PATCH', 404)
    const replaced = await keep(renewed.next, { renew }, { renewPush: true })
    expect(replaced.requested.slice(0, 2)).toEqual(['PATCH /sub-1', 'POST /'])
    expect(replaced.next.current?.id).toBe('sub-2')
    // Also within the hour after a refusal.
    statuses.set('POST', 403)
    const refused = await keep(replaced.next, { renew }, { renewPush: true })
    expect(refused.next.retryAt).toBe(peer.now + hour)
    statuses.clear()
    expect((await keep(refused.next, { renew }, { renewPush: true })).next.retryAt).toBeUndefined()
  })

  test('is replaced if it posts to another address', async () => {
    const { next } = await keep(
      { current: { id: 'sub-0', expires: peer.now + 7 * day, address: 'elsewhere' } },
      { renew },
    )
    expect(next.current).toMatchObject({ id: 'sub-1', address: 'here' })
  })
})

describe('a provider that refuses', () => {
  test('gets the request again after an hour, and an existing subscription stays while it lasts', async () => {
    statuses.set('POST', 403)
    const { next, requested } = await keep({})
    expect(requested).toEqual(['POST /'])
    expect(next).toEqual({ retryAt: peer.now + hour })
    expect(peer.warnings).toEqual(['the provider opens no subscription'])
    expect((await keep(next)).requested).toEqual([])
    peer.now += hour
    statuses.delete('POST')
    const made = await keep(next)
    expect(made.next).toEqual({ current: expect.objectContaining({ address: 'here' }) })

    statuses.set('POST', 403)
    peer.now += 6.5 * day
    const lasting = await keep(made.next)
    expect(lasting.next).toEqual({ ...made.next, retryAt: peer.now + hour })
    peer.now += day
    expect((await keep(lasting.next)).next).toEqual({ retryAt: peer.now + hour })
  })

  test('gets no request if there is no way to receive posts', async () => {
    expect(await keep({}, { create: async () => undefined })).toEqual({
      next: { retryAt: peer.now + hour },
      requested: [],
    })
    expect(peer.warnings).toEqual([])
  })

  test('the account makes the grant invalid', async () => {
    statuses.set('POST', 401)
    await expect(keep({})).rejects.toMatchObject({ code: 'grant_invalid' })
  })
})
