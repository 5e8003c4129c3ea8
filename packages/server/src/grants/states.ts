/**
 * The life cycle of a grant, as one pure function.
 *
 *   none ──hosted sign-in──▶ unverified ──token exchange──▶ valid ⇄ invalid
 *     └───────custom authentication───────────────────────▶ valid
 *   any state ──delete──▶ deleted; an unverified grant whose code expires is deleted too, without a notification.
 *
 * A deleted grant is never restored: authenticating its address starts at none with a new id. `blocked` is a separate
 * flag that only administrators set. No transition changes it.
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
  /** Billing covers every verified grant until it is deleted, including invalid and revoked ones. */
  billing?: 'start' | 'stop'
  /** The change is a re-authentication: the grant keeps its id, and the notification says so. */
  reauthentication?: true
  /** Changes missed while the grant was invalid are reported, by the 72-hour rule. */
  backfill?: true
  /** Stored data is deleted and tokens are revoked. */
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
    // A working grant does not change until the exchange succeeds: an abandoned sign-in has no effect.
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
    // Notified once: losing access again changes nothing.
    access_lost: { next: 'invalid' },
    code_expired: { next: 'invalid' },
    delete: erased,
  },
  deleted: {},
}

/** The effect of a trigger on a grant, or undefined if it is impossible in this state. */
export const transition = (state: GrantState, trigger: GrantTrigger): GrantChange | undefined => table[state][trigger]

/** Why calls on a grant's data are refused, or undefined if they are allowed. */
export function refusal(
  state: GrantState,
  blocked: boolean,
): 'grant_not_found' | 'resource_blocked' | 'grant_invalid' | undefined {
  if (state !== 'valid' && state !== 'invalid') return 'grant_not_found'
  if (blocked) return 'resource_blocked'
  return state === 'invalid' ? 'grant_invalid' : undefined
}
