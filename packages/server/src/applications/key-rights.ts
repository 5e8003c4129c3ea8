/**
 * The rights of restricted credentials: API keys with `rights`, and agents. Every route of the contract that accepts API keys
 * says which right it needs, and `api/pipeline/key-admission.ts` enforces it for all of them.
 */
import {
  type Grant,
  type KeyOperation,
  KeyRights,
  type NamedRoute,
  type NotificationProduct,
  needsAllGrants,
  type RouteRight,
  Trigger,
  triggers,
} from '@waypost/contract'
import { ApiError, invalidFields } from '@waypost/platform/api-error'
import { isRange, withinRanges } from '@waypost/platform/networks'
import type { Queries } from '@waypost/store/engine/database'
import type { GrantScope } from '@waypost/store/tables/grants/grant-scope'
import { findGrant } from '@waypost/store/tables/grants/grants'

/** A restricted API key, or an agent. */
export interface Credential {
  type: 'api_key' | 'agent'
  id: string
  name: string
  rights: KeyRights
  /** The grants that an agent was connected for, within those of its rights. */
  grantIds?: readonly string[] | undefined
}

type Reach = Pick<Credential, 'rights' | 'grantIds'>

/** What a route needs, as it says itself. Routes that no API key opens are for no restricted credential. */
export const rightOf = ({ route }: NamedRoute): RouteRight => route.right ?? 'never'

/** Whether a credential has an operation. Limited to some grants, it has none that concerns the whole application. */
export const hasOperation = (credential: Reach, operation: KeyOperation): boolean =>
  credential.rights.operations.includes(operation) && !(needsAllGrants.has(operation) && isLimited(credential))

type RightJudgement = { allowed: true } | { allowed: false; missing: readonly KeyOperation[] }

/** Whether a credential may call a route, and which operations would allow it. None: no right allows it. */
export function judgeOperation(credential: Reach, named: NamedRoute): RightJudgement {
  const right = rightOf(named)
  if (right === 'every') return { allowed: true }
  if (right === 'never') return { allowed: false, missing: [] }
  const sufficient = typeof right === 'string' ? [right] : right
  const has = (operation: KeyOperation): boolean => hasOperation(credential, operation)
  return sufficient.some(has) ? { allowed: true } : { allowed: false, missing: sufficient }
}

/** The operation that the fields of a request need beyond those of its route. */
export function operationOfFields(
  { id }: NamedRoute,
  query: Readonly<Record<string, unknown>>,
): KeyOperation | undefined {
  return id === 'messages.delete' && query.hard_delete === true ? 'mail.delete' : undefined
}

/** Whether a credential may use some grants only. */
export const isLimited = ({ rights, grantIds }: Reach): boolean => grantIds !== undefined || Boolean(rights.grants)

/** Whether a credential may use a grant. */
export function mayUseGrant({ rights: { grants }, grantIds }: Reach, grant: Pick<Grant, 'id' | 'metadata'>): boolean {
  if (grantIds && !grantIds.includes(grant.id)) return false
  if (!grants) return true
  if ('ids' in grants) return grants.ids.includes(grant.id)
  return Object.entries(grants.metadata).every(([key, value]) => grant.metadata[key] === value)
}

/** The grants that a credential may use, as a filter for lists. Undefined: all. */
export function scopeOf({ rights: { grants }, grantIds }: Reach): GrantScope | undefined {
  if (!grants) return grantIds && { ids: grantIds }
  if ('ids' in grants) return { ids: grantIds ? grants.ids.filter((id) => grantIds.includes(id)) : grants.ids }
  const [[key, value] = ['', '']] = Object.entries(grants.metadata)
  return { ids: grantIds, pair: { key, value } }
}

/** Whether a credential may send to an address and invite it. A domain includes no subdomains. */
export function isAllowedRecipient({ recipients }: Pick<KeyRights, 'recipients'>, email: string): boolean {
  if (!recipients) return true
  const address = email.trim().toLowerCase()
  const domain = address.slice(address.lastIndexOf('@') + 1)
  if (!/^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(address)) return false
  return recipients.some((allowed) => {
    const wanted = allowed.toLowerCase()
    // Some servers pass mail for `somebody%elsewhere@domain` on to the other domain.
    return wanted.includes('@') ? wanted === address : wanted === domain && !/[%!]/.test(address)
  })
}

/** Whether a credential may be used from an address. */
export const isInNetworks = ({ networks }: Pick<KeyRights, 'networks'>, address: string): boolean =>
  !networks || withinRanges(networks)(address)

/**
 * The rights of a key or an agent as stored. A limit that is not understood must not be ignored: a credential whose rights a
 * newer version wrote works at nodes of that version only.
 */
export function readRights(text: string): KeyRights {
  const read = KeyRights.safeParse(JSON.parse(text))
  if (read.success) return read.data
  throw new ApiError(
    'service_unavailable',
    'this node does not understand the rights of the credential: update the node',
    {
      cause: read.error,
    },
  )
}

/** The operation that reads the objects of a product. Notifications about approvals are for `webhooks` alone. */
const readers: Record<NotificationProduct, KeyOperation | 'every' | 'never'> = {
  emails: 'mail.read',
  send: 'mail.read',
  tracking: 'mail.read',
  events: 'calendar.read',
  contacts: 'contacts.read',
  scheduling: 'scheduling',
  system: 'every',
  agents: 'never',
}

/** Whether a credential may read the notifications of a trigger, and which operations would allow it. */
export function judgeTrigger(credential: Credential, trigger: Trigger): RightJudgement {
  if (hasOperation(credential, 'webhooks')) return { allowed: true }
  const needed = readers[triggers[trigger].product]
  if (needed === 'every') return { allowed: true }
  if (needed !== 'never' && hasOperation(credential, needed)) return { allowed: true }
  return { allowed: false, missing: needed === 'never' ? ['webhooks'] : [needed, 'webhooks'] }
}

/** The triggers whose notifications a credential may read. */
export const readableTriggers = (credential: Credential): Trigger[] =>
  Trigger.options.filter((trigger) => judgeTrigger(credential, trigger).allowed)

/** Throws an error that names every field of the rights that the schema cannot check. */
export async function needValidRights(queries: Queries, applicationId: string, rights: KeyRights): Promise<void> {
  const problems: Record<string, string> = {}
  for (const [index, network] of (rights.networks ?? []).entries()) {
    if (!isRange(network)) {
      problems[`rights.networks.${index}`] = 'must be an address or a range, such as 203.0.113.7 or 10.0.0.0/8'
    }
  }
  const ids = rights.grants && 'ids' in rights.grants ? rights.grants.ids : []
  for (const [index, id] of ids.entries()) {
    const found = await findGrant(queries, applicationId, { by: 'id', value: id })
    if (!found) problems[`rights.grants.ids.${index}`] = 'is no grant of this application'
  }
  if (Object.keys(problems).length > 0) throw invalidFields(problems)
}
