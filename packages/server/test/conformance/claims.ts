/** The resources that each adapter must show in the conformance suite. */
import { isDeepStrictEqual } from 'node:util'
import type { Operations } from '@waypost/providers/operations'
import type { Provider } from '@waypost/providers/provider'
import { namedAdapters, providers } from '@waypost/providers/registry'

export type Resource = keyof Operations<unknown>

/** A part of a provider, which a description of the provider opens as a whole. */
export type Part = 'mail' | 'calendar' | 'rooms' | 'contacts'

export const resourcesOf: Readonly<Record<Part, readonly Resource[]>> = {
  mail: ['folders', 'messages', 'threads', 'attachments', 'drafts'],
  calendar: ['calendars', 'events'],
  rooms: ['roomResources'],
  contacts: ['contacts', 'contactGroups'],
}
export const parts = Object.keys(resourcesOf) as Part[]

export const adapters: readonly [name: string, adapter: Provider][] = namedAdapters(providers)

/** Whether an adapter has operations for a resource. */
export const hasResource = (adapter: Provider, resource: Resource): boolean => Reflect.has(adapter, resource)

/**
 * Whether an adapter must show what it has at a place of its table. A variant of a kind need not show what an earlier
 * adapter of the registry has too.
 */
export function mustShow(adapter: Provider, place: Resource | 'limits'): boolean {
  const own: unknown = Reflect.get(adapter, place)
  if (own === undefined) return false
  const [name] = adapters.find(([, each]) => each === adapter) ?? [adapter.kind]
  if (name === adapter.kind) return true
  const earlier = adapters.slice(
    0,
    adapters.findIndex(([each]) => each === name),
  )
  return !earlier.some(([, each]) => isDeepStrictEqual(Reflect.get(each, place), own))
}

/** The parts that an adapter must show. */
export const partsOf = (adapter: Provider): Part[] =>
  parts.filter((part) => resourcesOf[part].some((resource) => mustShow(adapter, resource)))
