/** Tables that say which scopes the operations of a provider need. */
import { type Contract, contract } from '@waypost/contract'
import type { Capability, Operations } from '../operations.ts'

/** A grant needs one scope of each list. */
export type NeededScopes = readonly (readonly string[])[]
export type OperationScopes = { readonly [C in Capability]?: NeededScopes }

type ResourceScopes<Operation extends string> = { readonly read: NeededScopes; readonly change: NeededScopes } & {
  readonly [O in Operation]?: NeededScopes
}

/** The scopes of each resource: for reading, for changing, and for single operations that need others. */
export type ScopesByResource = {
  readonly [R in keyof Operations<unknown>]?: ResourceScopes<keyof Operations<unknown>[R] & string>
}

/** Operations that change nothing, whatever their HTTP method. All others need the scopes for changing. */
const readOperations: ReadonlySet<string> = new Set(['list', 'get', 'import', 'download', 'clean', 'freeBusy'])

/** The same scopes for reading and changing. */
export const forAll = (needed: NeededScopes): { read: NeededScopes; change: NeededScopes } => ({
  read: needed,
  change: needed,
})

export function operationScopes(byResource: ScopesByResource): OperationScopes {
  const entries = Object.entries(byResource).flatMap(([resource, { read, change, ...single }]) =>
    Object.entries((contract as Contract)[resource] ?? {}).flatMap(([operation, { own }]) => {
      const needed = new Map(Object.entries(single)).get(operation) ?? (readOperations.has(operation) ? read : change)
      return own ? [] : [[`${resource}.${operation}`, needed]]
    }),
  )
  return Object.fromEntries(entries)
}
