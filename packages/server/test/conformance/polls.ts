/** Providers that are polled when a test says so, not at intervals. */
import { providers } from '../../src/providers/registry.ts'
import type { WatchingSession } from '../../src/providers/shared/watched-parts.ts'

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
  return {
    providers: { ...providers, [kind]: { ...adapter, changes: { ...adapter.changes, wait } } },
    isWaiting,
    /** Polls an account, and resolves when its changes are notified. */
    async poll(account: { grantId: string }): Promise<void> {
      await isWaiting(account)
      const end = waiting.get(account.grantId)
      waiting.delete(account.grantId)
      end?.()
      await isWaiting(account)
    },
  }
}
