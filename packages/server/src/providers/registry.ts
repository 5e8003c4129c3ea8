import type { Grant } from '@waypost/contract'
import { ApiError } from '../lib/api-error.ts'
import { ews } from './ews/index.ts'
import { google } from './google/index.ts'
import { icloud } from './icloud/index.ts'
import { imap } from './imap/index.ts'
import { microsoft } from './microsoft/index.ts'
import type { Provider } from './provider.ts'
import { virtual } from './virtual/index.ts'
import { yahoo } from './yahoo/index.ts'

/** Every provider that this server has an adapter for. */
export const providers = {
  google,
  microsoft,
  imap,
  icloud,
  yahoo,
  ews,
  'virtual-calendar': virtual,
} as const satisfies Record<string, Provider>

export type Providers = Readonly<Record<string, Provider>>

const notSupported = (kind: string, capability: string, remedy?: string): ApiError => {
  const words = `${kind} does not support ${capability} on this server`
  return new ApiError('not_supported_by_provider', remedy === undefined ? words : `${words}: ${remedy}`, {
    fields: { provider: kind, capability },
  })
}

/** What accounts of a kind have in common, such as how they are signed in to; none where the server has no adapter of it. */
export const findProvider = (registry: Providers, kind: string): Provider | undefined =>
  Object.hasOwn(registry, kind) ? registry[kind] : undefined

/** The same, or the one error that says there is none. */
export function needProvider(registry: Providers, kind: string, capability: string): Provider {
  const provider = findProvider(registry, kind)
  if (!provider) throw notSupported(kind, capability)
  return provider
}

type Served = Pick<Grant, 'provider' | 'settings'>

/** The adapter that serves a grant: who asks what an account can do asks this one. */
export function findAdapter(registry: Providers, grant: Served): Provider | undefined {
  const provider = findProvider(registry, grant.provider)
  return provider?.adapterFor?.(grant) ?? provider
}

/** The same, or the one error that says there is none. */
export function needAdapter(registry: Providers, grant: Served, capability: string): Provider {
  const provider = needProvider(registry, grant.provider, capability)
  return provider.adapterFor?.(grant) ?? provider
}

/** Every adapter under the name that the documentation has for it: kinds, and the variants of each after it. */
export const namedAdapters = (registry: Providers): [name: string, adapter: Provider][] =>
  Object.entries(registry).flatMap(([kind, provider]) => [
    [kind, provider] as [string, Provider],
    ...Object.entries(provider.variants ?? {}),
  ])

/** What the ids of messages of an account say of their names: those that they had before, and the one that lasts. */
export function messageNamesOf(grant: Served): Pick<Provider, 'formerIds' | 'lastingName'> {
  const { formerIds, lastingName } = findAdapter(providers, grant) ?? {}
  return { ...(formerIds ? { formerIds } : {}), ...(lastingName ? { lastingName } : {}) }
}

/** Whether an adapter has an operation. */
export function hasOperation(provider: Provider, resource: string, operation: string): boolean {
  const operations: unknown = Reflect.get(provider, resource)
  return typeof operations === 'object' && operations !== null && Object.hasOwn(operations, operation)
}

/** Whether the service keeps a resource in its own tables for accounts of a kind. */
export const keepsResource = ({ local, keeps = [] }: Provider, resource: string): boolean =>
  local !== undefined || keeps.some((kept) => kept === resource)

/** Throws the one error that says a provider lacks an operation; before any network is touched. */
export function needOperation(
  provider: Provider,
  { id, resource, operation }: { id: string; resource: string; operation: string },
): void {
  if (!hasOperation(provider, resource, operation)) throw notSupported(provider.kind, id, provider.remedies?.[resource])
}

/** The scopes that an operation needs and a grant was not given: one of each list is wanting. */
function missingScopes({ scopes, oauth }: Provider, { scope }: Pick<Grant, 'scope'>, id: string) {
  const needed: readonly (readonly string[])[] = scopes && Object.hasOwn(scopes, id) ? Reflect.get(scopes, id) : []
  if (needed.length === 0) return []
  const given = new Set(scope.map((each) => oauth?.canonicalScope(each) ?? each))
  return needed.filter((anyOf) => !anyOf.some((each) => given.has(each)))
}

/** Throws where a grant was not given a scope that an operation needs; before any network is touched. */
export function needScopes(provider: Provider, grant: Pick<Grant, 'scope'>, id: string): void {
  const missing = missingScopes(provider, grant, id)
  if (missing.length === 0) return
  const names = missing.map((anyOf) => anyOf.join(' or ')).join(', and ')
  throw new ApiError('insufficient_scopes', `the grant lacks a scope that ${id} needs: ${names}`)
}

/** Whether the account of a grant can do an operation: its provider has it, the grant was given what it needs, and its settings allow it. */
export const canDo = (
  provider: Provider,
  grant: Pick<Grant, 'scope' | 'settings'>,
  { id, resource, operation }: { id: string; resource: string; operation: string },
): boolean =>
  hasOperation(provider, resource, operation) &&
  missingScopes(provider, grant, id).length === 0 &&
  !provider.lacks?.(grant).includes(id)
