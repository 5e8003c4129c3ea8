// State shared by the sign-in modules.
import type { JsonObject } from '../../shared/http.ts'
import type { Clients, OAuthClient } from '../../shared/oauth/clients.ts'
import type { Codes } from '../../shared/oauth/codes.ts'
import type { Grants } from '../../shared/oauth/grants.ts'
import { type AccountOwner, isPersonal, personalTenant, type Tenant } from '../owner.ts'
import type { World } from '../world.ts'
import { AadError } from './errors.ts'
import type { SignInProblems } from './problems.ts'

export interface MicrosoftClient extends OAuthClient {
  /**
   * The accounts that may sign in: all, those of organizations, or those of one tenant by id or domain. Default
   * `all`.
   */
  readonly audience?: string
  /** Public keys or certificates (PEM) that verify the application's assertions. */
  readonly certificates?: readonly string[]
  /** The application permissions (without a user) that it is registered with; administrators consent to them. */
  readonly roles?: readonly string[]
  /** Whether the secret has expired. */
  readonly hasExpiredSecret?: boolean
}

export interface OAuth {
  readonly world: World
  readonly grants: Grants
  readonly clients: Clients<MicrosoftClient>
  readonly codes: Codes
  readonly problems: SignInProblems
  readonly tenants: TenantConsents
}

/** The consents of administrators for their whole tenant, and whether users may consent themselves. */
export interface TenantConsents {
  scopes(tenant: Tenant, clientId: string): ReadonlySet<string>
  roles(tenant: Tenant, clientId: string): ReadonlySet<string> | undefined
  consent(tenant: Tenant, clientId: string, given: { scopes?: readonly string[]; roles?: readonly string[] }): void
  revoke(tenant: Tenant, clientId: string): void
  usersMayConsent(tenant: Tenant): boolean
  setUsersMayConsent(tenant: Tenant, may: boolean): void
}

export function createTenantConsents(): TenantConsents {
  const consents = new Map<string, { scopes: Set<string>; roles: Set<string> | undefined }>()
  const closed = new Set<string>()
  const keyOf = (tenant: Tenant, clientId: string) => `${tenant.id} ${clientId}`
  return {
    scopes: (tenant, clientId) => consents.get(keyOf(tenant, clientId))?.scopes ?? new Set(),
    roles: (tenant, clientId) => consents.get(keyOf(tenant, clientId))?.roles,
    consent(tenant, clientId, { scopes = [], roles }) {
      const before = consents.get(keyOf(tenant, clientId))
      consents.set(keyOf(tenant, clientId), {
        scopes: new Set([...(before?.scopes ?? []), ...scopes]),
        roles: roles === undefined ? before?.roles : new Set([...(before?.roles ?? []), ...roles]),
      })
    },
    revoke: (tenant, clientId) => consents.delete(keyOf(tenant, clientId)),
    usersMayConsent: ({ id }) => !closed.has(id),
    setUsersMayConsent(tenant, may) {
      if (may) closed.delete(tenant.id)
      else closed.add(tenant.id)
    },
  }
}

/** Always Microsoft's issuer, wherever the simulator listens, so that clients verify tokens as in production. */
export function issuerOf(tenantId: string): string {
  return `https://login.microsoftonline.com/${tenantId}/v2.0`
}

/** The accounts that the `{tenant}` of a path admits. */
export interface Authority {
  /** Undefined for `common`, `organizations` and `consumers`. */
  readonly tenant: Tenant | undefined
  admits(account: AccountOwner): boolean
}

export function authorityOf(world: World, name: string): Authority {
  switch (name.toLowerCase()) {
    case 'common':
      return { tenant: undefined, admits: () => true }
    case 'organizations':
      return { tenant: undefined, admits: (account) => !isPersonal(account) }
    case 'consumers':
    case personalTenant:
      return { tenant: undefined, admits: isPersonal }
    default: {
      const tenant = world.findTenant(name)
      if (tenant !== undefined) return { tenant, admits: (account) => account.tenant.id === tenant.id }
      throw new AadError(
        'invalid_request',
        90002,
        `Tenant '${name}' not found. Check to make sure you have the correct tenant ID and are signing into the correct cloud. Check with your subscription administrator, this may happen if there are no active subscriptions for the tenant.`,
      )
    }
  }
}

/** Whether a client accepts this account. */
export function servesAccount({ audience = 'all' }: MicrosoftClient, { tenant }: AccountOwner): boolean {
  if (audience === 'all') return true
  if (audience === 'organizations') return tenant.id !== personalTenant
  return audience === tenant.id || audience === tenant.domain
}

export type Fields = Readonly<Record<string, string>>

export type TokenAnswer = JsonObject
