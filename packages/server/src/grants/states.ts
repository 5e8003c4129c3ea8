/**
 * The life of a grant, as one pure function.
 *
 *   none ──hosted sign-in──▶ unverified ──token exchange──▶ valid ⇄ invalid
 *     └───────custom authentication───────────────────────▶ valid
 *   any state ──delete──▶ deleted; an unverified grant whose code expires is deleted too, in silence.
 *
 * A deleted grant never comes back: authenticating its address starts again at none, with a new id. `blocked` is a flag
 * beside the state: the administrator's, and changed by no transition.
 */
export type GrantState = 'none' | 'unverified' | 'valid' | 'invalid' | 'deleted'

export type GrantTrigger =
  | 'hosted_sign_in'
  | 'token_exchange'
  | 'custom_authentication'
  | 'access_lost'
  | 'code_expired'
  | 'delete'

export interface GrantChange {
  next: GrantState
  notification?: 'grant.created' | 'grant.updated' | 'grant.expired' | 'grant.deleted'
  /** Billing covers every verified grant until it is deleted, invalid and revoked ones included. */
  billing?: 'start' | 'stop'
  /** The change is a re-authentication: the grant keeps its id, and its update says so. */
  reauthentication?: true
  /** Changes missed while the grant was invalid are told, by the 72-hour rule. */
  backfill?: true
  /** Stored data goes, and tokens are revoked. */
  erase?: true
}

const created: GrantChange = { next: 'valid', notification: 'grant.created', billing: 'start' }
const reauthenticated: GrantChange = { next: 'valid', notification: 'grant.updated', reauthentication: true }
const recovered: GrantChange = { ...reauthenticated, backfill: true }
const erased: GrantChange = { next: 'deleted', notification: 'grant.deleted', billing: 'stop', erase: true }
const dropped: GrantChange = { next: 'deleted', erase: true }

const table: Record<GrantState, Partial<Record<GrantTrigger, GrantChange>>> = {
  none: { hosted_sign_in: { next: 'unverified' }, custom_authentication: created },
  unverified: {
    hosted_sign_in: { next: 'unverified' },
    token_exchange: created,
    custom_authentication: created,
    code_expired: dropped,
    delete: dropped,
  },
  valid: {
    // Nothing of a working grant changes until the exchange succeeds: an abandoned sign-in does no harm.
    hosted_sign_in: { next: 'valid' },
    token_exchange: reauthenticated,
    custom_authentication: reauthenticated,
    access_lost: { next: 'invalid', notification: 'grant.expired' },
    code_expired: { next: 'valid' },
    delete: erased,
  },
  invalid: {
    hosted_sign_in: { next: 'invalid' },
    token_exchange: recovered,
    custom_authentication: recovered,
    // Told once: losing access to what is lost already changes nothing.
    access_lost: { next: 'invalid' },
    code_expired: { next: 'invalid' },
    delete: erased,
  },
  deleted: {},
}

/** What a trigger does to a grant, or undefined where it cannot happen. */
export const transition = (state: GrantState, trigger: GrantTrigger): GrantChange | undefined => table[state][trigger]

/** Why calls on a grant's data are refused, or undefined when they are not. */
export function refusal(
  state: GrantState,
  blocked: boolean,
): 'grant_not_found' | 'resource_blocked' | 'grant_invalid' | undefined {
  if (state !== 'valid' && state !== 'invalid') return 'grant_not_found'
  if (blocked) return 'resource_blocked'
  return state === 'invalid' ? 'grant_invalid' : undefined
}
