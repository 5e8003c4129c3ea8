import type { Grant } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { ews } from './ews/index.ts'
import { google } from './google/index.ts'
import { icloud } from './icloud/index.ts'
import { imap } from './imap/index.ts'
import { microsoft } from './microsoft/index.ts'
import type { Provider } from './provider.ts'
import { virtual } from './virtual/index.ts'
import { yahoo } from './yahoo/index.ts'
import { zoom } from './zoom/index.ts'

/** Every provider that this server has an adapter for. */
export const providers = {
  google,
  microsoft,
  imap,
  icloud,
  yahoo,
  ews,
  'virtual-calendar': virtual,
  zoom,
} as const satisfies Record<string, Provider>

export type Providers = Readonly<Record<string, Provider>>

const notSupported = (kind: string, capability: string, remedy?: string): ApiError => {
  const words = `${kind} does not support ${capability} on this server`
  return new ApiError('not_supported_by_provider', remedy === undefined ? words : `${words}: ${remedy}`, {
    fields: { provider: kind, capability },
  })
}

/**
 * The provider of a kind, for what its accounts have in common, such as sign-in; undefined if the server has no
 * adapter for it.
 */
export const findProvider = (registry: Providers, kind: string): Provider | undefined =>
  Object.hasOwn(registry, kind) ? registry[kind] : undefined

/** The same, or the error that there is none. */
export function needProvider(registry: Providers, kind: string, capability: string): Provider {
  const provider = findProvider(registry, kind)
  if (!provider) throw notSupported(kind, capability)
  return provider
}

type Served = Pick<Grant, 'provider' | 'settings'>

/** The adapter of a grant, which determines what the account can do. */
export function findAdapter(registry: Providers, grant: Served): Provider | undefined {
  const provider = findProvider(registry, grant.provider)
  return provider?.adapterFor?.(grant) ?? provider
}

/** The same, or the error that there is none. */
export function needAdapter(registry: Providers, grant: Served, capability: string): Provider {
  const provider = needProvider(registry, grant.provider, capability)
  return provider.adapterFor?.(grant) ?? provider
}

/** Every adapter by its name in the documentation: each kind, followed by its variants. */
export const namedAdapters = (registry: Providers): [name: string, adapter: Provider][] =>
  Object.entries(registry).flatMap(([kind, provider]) => [
    [kind, provider] as [string, Provider],
    ...Object.entries(provider.variants ?? {}),
  ])

/** How ids of messages of an account map to former and lasting names. */
export function messageNamesOf(grant: Served): Pick<Provider, 'formerIds' | 'lastingName'> {
  const { formerIds, lastingName } = findAdapter(providers, grant) ?? {}
  return { ...(formerIds ? { formerIds } : {}), ...(lastingName ? { lastingName } : {}) }
}

/** Whether an adapter has an operation. */
export function hasOperation(provider: Provider, resource: string, operation: string): boolean {
  const operations: unknown = Reflect.get(provider, resource)
  return typeof operations === 'object' && operations !== null && Object.hasOwn(operations, operation)
}

/** Whether the service stores a resource in its own tables for accounts of a kind. */
export const keepsResource = ({ local, keeps = [] }: Provider, resource: string): boolean =>
  local !== undefined || keeps.some((retained) => retained === resource)

/** Throws the error that a provider lacks an operation, before any network request. */
export function needOperation(
  provider: Provider,
  { id, resource, operation }: { id: string; resource: string; operation: string },
): void {
  if (!hasOperation(provider, resource, operation)) throw notSupported(provider.kind, id, provider.remedies?.[resource])
}

/** The lists of scopes of which an operation needs one and the grant has none. */
function missingScopes({ scopes, oauth }: Provider, { scope }: Pick<Grant, 'scope'>, id: string) {
  const needed: readonly (readonly string[])[] = scopes && Object.hasOwn(scopes, id) ? Reflect.get(scopes, id) : []
  if (needed.length === 0) return []
  const given = new Set(scope.map((each) => oauth?.canonicalScope(each) ?? each))
  return needed.filter((anyOf) => !anyOf.some((each) => given.has(each)))
}

/** Throws if a grant lacks a scope that an operation needs, before any network request. */
export function needScopes(provider: Provider, grant: Pick<Grant, 'scope'>, id: string): void {
  const missing = missingScopes(provider, grant, id)
  if (missing.length === 0) return
  const names = missing.map((anyOf) => anyOf.join(' or ')).join(', and ')
  throw new ApiError('insufficient_scopes', `the grant lacks a scope that ${id} needs: ${names}`)
}

/**
 * Whether an account can do an operation: its provider has it, the grant has the scopes, and the settings allow it.
 */
export const canDo = (
  provider: Provider,
  grant: Pick<Grant, 'scope' | 'settings'>,
  { id, resource, operation }: { id: string; resource: string; operation: string },
): boolean =>
  hasOperation(provider, resource, operation) &&
  missingScopes(provider, grant, id).length === 0 &&
  !provider.lacks?.(grant).includes(id)
