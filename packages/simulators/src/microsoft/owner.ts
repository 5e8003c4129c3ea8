// Who a user of the simulated Microsoft is.

export interface Tenant {
  /** A GUID; that of all personal accounts is `PERSONAL_TENANT`. */
  readonly id: string
  /** Empty for the tenant of the personal accounts. */
  readonly domain: string
}

/** The tenant that every personal account is in. */
export const PERSONAL_TENANT = '9188040d-6c67-4c5b-b112-36a304b66dad'

export interface AccountOwner {
  /** What Graph names the user by: a GUID, or sixteen hexadecimal digits for a personal account. */
  readonly id: string
  /** A GUID in any case: what ID tokens and grants name the user by. */
  readonly oid: string
  readonly email: string
  readonly name: string
  readonly tenant: Tenant
  /** IANA. */
  readonly timezone: string
  readonly aliases: readonly string[]
  /** Whether the user may consent for the whole organization. */
  readonly isAdministrator: boolean
  /** Whether what the user sends gets a Message-ID of Exchange's own. */
  readonly renamesSent: boolean
  /** Who else may open the mailbox, by their `oid`: users of a shared mailbox, delegates. */
  readonly delegates: Map<string, DelegateRights>
}

export interface DelegateRights {
  /** Whether the delegate may send in the owner's name. */
  readonly sendAs: boolean
}

export function isPersonal({ tenant }: AccountOwner): boolean {
  return tenant.id === PERSONAL_TENANT
}
