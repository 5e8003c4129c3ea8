/**
 * Actions that come before everything else: change a generated first password, or set up the second factor that
 * owners require for a role. Until then, a session or Basic credentials allow only the routes for that action. Pure.
 */
import type { NamedRoute, RequiredAction, Role, SignInWay } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'

/** The facts that decide whether an action is required. */
export interface ActionFacts {
  /** Null for the installation password and for one-time links. */
  role: Role | null
  hasTotp: boolean
  way: SignInWay
  /** Whether the installation password is the generated one. */
  isInitialPassword: boolean
  /** The roles that require a second factor. */
  secondFactorRoles: readonly Role[]
}

export function requiredActionOf(facts: ActionFacts): RequiredAction | null {
  const { role, hasTotp, way } = facts
  if (role === null) return way === 'password' && facts.isInitialPassword ? 'change_password' : null
  // The OpenID provider has its own second factor.
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

/** Refuses routes that have to wait, and everything that is not an API route. */
export function needNoActionFirst(action: RequiredAction | null, named?: NamedRoute): void {
  if (action === null || (named && open[action].has(named.id))) return
  throw new ApiError(codes[action])
}
