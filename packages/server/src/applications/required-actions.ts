/**
 * What somebody must do before anything else: change a first password that the service made up, or set up the second
 * factor that owners require of their role. Until then a session, or Basic credentials, opens only what that takes. Pure.
 */
import type { NamedRoute, RequiredAction, Role, SignInWay } from '@waypost/contract'
import { ApiError } from '../lib/api-error.ts'

/** What tells whether something must be done first. */
export interface ActionFacts {
  /** Null for the password of the installation, and for a one-time link. */
  role: Role | null
  hasTotp: boolean
  way: SignInWay
  /** Whether the password of the installation is the one that the service made up. */
  isInitialPassword: boolean
  /** The roles that need a second factor. */
  secondFactorRoles: readonly Role[]
}

export function requiredActionOf(facts: ActionFacts): RequiredAction | null {
  const { role, hasTotp, way } = facts
  if (role === null) return way === 'password' && facts.isInitialPassword ? 'change_password' : null
  // The OpenID provider asks for a second factor of its own.
  const needsTotp = way !== 'oidc' && facts.secondFactorRoles.includes(role)
  return needsTotp && !hasTotp ? 'set_up_second_factor' : null
}

const open: Record<RequiredAction, ReadonlySet<string>> = {
  change_password: new Set(['session.get', 'session.delete', 'session.password']),
  set_up_second_factor: new Set([
    'session.get',
    'session.delete',
    'account.get',
    'account.beginTotp',
    'account.confirmTotp',
  ]),
}
const codes = {
  change_password: 'password_change_required',
  set_up_second_factor: 'second_factor_setup_required',
} as const

/** Refuses what has to wait; what is no route of the API waits too. */
export function needNoActionFirst(action: RequiredAction | null, named?: NamedRoute): void {
  if (action === null || (named && open[action].has(named.id))) return
  throw new ApiError(codes[action])
}
