import { ApiError } from '../lib/api-error.ts'
import type { Provider } from './provider.ts'
import { virtual } from './virtual/index.ts'

/** Every provider that this server has an adapter for. */
export const providers = { 'virtual-calendar': virtual } as const satisfies Record<string, Provider>

export type Providers = Readonly<Record<string, Provider>>

/** The adapter of a kind, or the one error that says there is none. */
export function needProvider(registry: Providers, kind: string, capability: string): Provider {
  const provider = Object.hasOwn(registry, kind) ? registry[kind] : undefined
  if (provider) return provider
  throw new ApiError('not_supported_by_provider', `${kind} does not support ${capability} on this server`, {
    fields: { provider: kind, capability },
  })
}
