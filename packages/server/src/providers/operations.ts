/**
 * The adapter interface, all of it: what the providers can do, by resource. Every grant route of the contract has an
 * operation of the same name here and every operation a route, or the build breaks (see `agreement` below).
 */
import type { Contract, Route, Waypost } from '@waypost/contract'

export interface Page<T> {
  items: T[]
  nextCursor?: string
}

/** The parameter is the provider's own session. An operation that a provider leaves out is a capability it does not have. */
// biome-ignore lint/suspicious/noEmptyInterface: resources join with the routes that need them
export interface Operations<_S> {}

/** The ids of a contract's routes that reach a provider. */
export type GrantRouteId<C extends Contract> = {
  [R in keyof C & string]: {
    [O in keyof C[R] & string]: C[R][O] extends Route & { audience: 'grant' } ? `${R}.${O}` : never
  }[keyof C[R] & string]
}[keyof C & string]

/** The ids of the operations of an adapter interface. */
export type OperationId<O> = { [R in keyof O & string]: `${R}.${keyof O[R] & string}` }[keyof O & string]

/** `true` when two unions of ids are the same, else the ids that only one of them has. */
export type Agree<A, B> = [A] extends [B]
  ? [B] extends [A]
    ? true
    : { missingRoute: Exclude<B, A> }
  : { missingOperation: Exclude<A, B> }

/** "events.list" and its kind. */
export type Capability = OperationId<Operations<unknown>>

export const agreement: Agree<GrantRouteId<Waypost>, Capability> = true
