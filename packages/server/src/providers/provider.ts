import type { ProviderKind } from '@waypost/contract'
import type { Clock } from '../lib/clock.ts'
import type { Egress } from '../lib/egress.ts'
import type { Log } from '../lib/log.ts'
import type { Operations } from './operations.ts'

/** The only ways out of the process that an adapter is given. */
export interface Io {
  request: Egress['request']
  connect: Egress['connect']
  clock: Clock
  signal: AbortSignal
  log: Log
}

/** Who an account is, once its provider accepted the credentials. */
export interface Identity {
  email: string
  name: string | null
  providerUserId: string | null
  scope: string[]
  /** Settings that may be answered. */
  settings: Record<string, unknown>
  /** What is sealed and kept to open sessions with; absent where there is nothing secret. */
  credentials?: Record<string, unknown>
}

/** An adapter: a table of plain functions. What is not in the table is a capability that the provider does not have. */
export interface Provider {
  kind: ProviderKind
  /** Tries the credentials of custom authentication at the provider. Settings were checked against the contract. */
  authenticate(settings: Record<string, unknown>, io: Io): Promise<Identity>
}

type Exact<P, Shape> = P & { [K in Exclude<keyof P, keyof Shape>]: never }

/** Checks an adapter against the interface, yet keeps its exact type: what is not written there does not exist. */
export const defineProvider = <
  S,
  const P extends Provider & Partial<Operations<S>> = Provider & Partial<Operations<S>>,
>(
  provider: Exact<P, Provider & Operations<S>>,
): P => provider
