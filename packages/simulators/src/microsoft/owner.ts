// The identity of a user of the simulated Microsoft.

export interface Tenant {
  /** A GUID; `PERSONAL_TENANT` for all personal accounts. */
  readonly id: string
  /** Empty for the tenant of the personal accounts. */
  readonly domain: string
}

/** The tenant of all personal accounts. */
export const personalTenant = '9188040d-6c67-4c5b-b112-36a304b66dad'

export interface AccountOwner {
  /** Graph's id of the user: a GUID, or sixteen hexadecimal digits for a personal account. */
  readonly id: string
  /** Always a GUID: the user's id in ID tokens and grants. */
  readonly oid: string
  readonly email: string
  readonly name: string
  readonly tenant: Tenant
  /** IANA name. */
  readonly timezone: string
  readonly aliases: readonly string[]
  /** Whether the user may consent for the whole organization. */
  readonly isAdministrator: boolean
  /** Whether Exchange replaces the Message-ID of mail that the user sends. */
  readonly renamesSent: boolean
  /** Accounts that may also open the mailbox, keyed by `oid`: users of a shared mailbox, delegates. */
  readonly delegates: Map<string, DelegateRights>
}

export interface DelegateRights {
  /** Whether the delegate may send in the owner's name. */
  readonly sendAs: boolean
}

export function isPersonal({ tenant }: AccountOwner): boolean {
  return tenant.id === personalTenant
}
