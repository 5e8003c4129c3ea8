import type { Grant, ProviderKind, Trigger, triggers } from '@waypost/contract'
import type { z } from 'zod'
import type { Invitation } from '../formats/invitations.ts'
import type { Clock } from '../lib/clock.ts'
import type { Egress } from '../lib/egress.ts'
import type { Log } from '../lib/log.ts'
import type { Operations } from './operations.ts'
import type { VirtualTables } from './virtual/tables.ts'

/** The only ways out of the process that an adapter is given. */
export interface Io {
  request: Egress['request']
  connect: Egress['connect']
  clock: Clock
  signal: AbortSignal
  log: Log
}

/** What a notification of a trigger carries. */
export type ObjectOf<T extends Trigger> = z.output<(typeof triggers)[T]['object']>

/** What a session is opened with, beside the ways out. */
export interface SessionIo extends Io {
  /** The service's own address, for links and ids. */
  baseUrl: string
  /** Tables for accounts that the service keeps itself; inside a change they are bound to its transaction. */
  tables: VirtualTables
  /** The service's own mail identity, where it has one; what is queued goes out after the change is kept. */
  mail: { address: string; queue(mail: Invitation): Promise<void> } | undefined
  /** Tells the application of a change; inside a change it is kept with it. */
  notify<T extends Trigger>(trigger: T, object: ObjectOf<T>): Promise<void>
  /** Tells the client something beside the answer, in a response header. */
  remark(header: string, text: string): void
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

/** A block of time in which somebody is not free, in Unix seconds. */
export interface BusyBlock {
  start: number
  end: number
}

/** An adapter: a table of plain functions. What is not in the table is a capability that the provider does not have. */
// Outside its folder a provider's session is opaque: whoever has one got it from the same provider.
// biome-ignore lint/suspicious/noExplicitAny: the sessions of different providers have nothing in common
export interface Provider<S = any> {
  kind: ProviderKind
  /** The account is kept in our own tables: its operations run in the transaction of the request. */
  local?: true
  /** Tries the credentials of custom authentication at the provider. Settings were checked against the contract. */
  authenticate(settings: Record<string, unknown>, io: Io): Promise<Identity>
  /** Opens a session for the operations of a request. */
  open?(grant: Grant, io: SessionIo): S
  /** What availability asks of an account: when it is busy, and when it was last booked for a round-robin group. */
  availability?: {
    busy(
      session: S,
      at: { calendarIds: readonly string[]; from: number; to: number; tentativeAsBusy: boolean },
    ): Promise<BusyBlock[]>
    lastBooked(session: S, at: { calendarIds: readonly string[]; group: string }): Promise<number | undefined>
  }
}

type Exact<P, Shape> = P & { [K in Exclude<keyof P, keyof Shape>]: never }

/** Checks an adapter against the interface, yet keeps its exact type: what is not written there does not exist. */
export const defineProvider =
  <S>() =>
  <const P extends Provider<S> & Partial<Operations<S>>>(provider: Exact<P, Provider<S> & Operations<S>>): P =>
    provider
