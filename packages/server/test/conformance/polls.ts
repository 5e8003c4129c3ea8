/** Providers that are polled when a test says so, not at intervals. */
import { providers } from '@waypost/providers/registry'
import type { WatchingSession } from '../../../providers/src/shared/watched-parts.ts'
import type { TestService } from '../harness.ts'
import type { Json } from './accounts.ts'

export function pollsOnDemand(kind: 'google' | 'microsoft') {
  const { [kind]: adapter } = providers
  /** Ends the wait of each grant. */
  const waiting = new Map<string, () => void>()
  let change = Promise.withResolvers<void>()
  const wait = ({ grant }: WatchingSession, signal: AbortSignal): Promise<'time'> => {
    const { promise, resolve } = Promise.withResolvers<'time'>()
    const end = (): void => resolve('time')
    signal.addEventListener('abort', end, { once: true })
    waiting.set(grant.id, end)
    change.resolve()
    change = Promise.withResolvers()
    return promise
  }
  /** Resolves when an account is watched, and all its changes so far are notified. */
  async function isWaiting({ grantId }: { grantId: string }): Promise<void> {
    while (!waiting.has(grantId)) await change.promise
  }
  /** Polls an account, and resolves when its changes are notified. */
  async function poll(account: { grantId: string }): Promise<void> {
    await isWaiting(account)
    const end = waiting.get(account.grantId)
    waiting.delete(account.grantId)
    end?.()
    await isWaiting(account)
  }
  /** The number of notifications that were read of each grant. */
  const read = new Map<string, number>()
  return {
    providers: { ...providers, [kind]: { ...adapter, changes: { ...adapter.changes, wait } } },
    isWaiting,
    poll,
    /** Polls an account, which has its own application, and returns the notifications of this poll. */
    async reported(service: TestService, account: { grantId: string; key: string }, types: RegExp): Promise<Json[]> {
      await poll(account)
      const { body } = await service.call('GET', '/v3/notifications?limit=200', { key: account.key })
      const reported = body.data.filter(({ type }: Json) => types.test(type))
      const before = read.get(account.grantId) ?? 0
      read.set(account.grantId, reported.length)
      return reported.slice(before)
    },
  }
}
