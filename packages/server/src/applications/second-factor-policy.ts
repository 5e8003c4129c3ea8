/** Which roles require a second factor. Owners choose, but cannot require what would lock every owner out. */
import { type NamedRoute, type RequiredAction, Role, type SignInWay } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Queries } from '@waypost/store/engine/database'
import { readFact, removeFact, writeFact } from '@waypost/store/tables/applications/installation'
import { countOwnersWithSecondFactor } from '@waypost/store/tables/applications/people'
import { z } from 'zod'
import type { Acting } from './acting.ts'
import { isInstallationPasswordOn } from './administrator.ts'
import { lockPeople, needPerson } from './people.ts'

const Roles = z.array(Role)

/** Parses the stored roles. */
export const rolesIn = (value: string | null | undefined): readonly Role[] =>
  value === null || value === undefined ? [] : Roles.parse(JSON.parse(value))

export const secondFactorRoles = async (queries: Queries): Promise<readonly Role[]> =>
  rolesIn(await readFact(queries, 'second_factor_roles'))

/** Sets the roles that require a second factor, in a transaction. `acting` is absent for a command. */
export async function requireSecondFactor(
  tx: Queries,
  roles: readonly Role[],
  { acting, now }: { acting?: Acting; now: number },
): Promise<void> {
  await lockPeople(tx, now)
  if (roles.length === 0) {
    await removeFact(tx, 'second_factor_roles')
    return
  }
  if (acting?.person) await needOwnSecondFactor(tx, acting, acting.person.id)
  if (roles.includes('owner')) await needSignIn(tx)
  const known = Role.options.filter((role) => roles.includes(role))
  await writeFact(tx, 'second_factor_roles', JSON.stringify(known))
}

async function needOwnSecondFactor(tx: Queries, { session }: Acting, id: string): Promise<void> {
  const { sealed_totp } = await needPerson(tx, id)
  if (sealed_totp !== null || session?.way === 'oidc') return
  throw new ApiError('conflict', 'set up a second factor for yourself first, on your account page')
}

async function needSignIn(tx: Queries): Promise<void> {
  if (await isInstallationPasswordOn(tx)) {
    throw new ApiError('conflict', 'turn off the installation password first: it has no second factor')
  }
  if ((await countOwnersWithSecondFactor(tx)) > 0) return
  throw new ApiError('conflict', 'no owner has a second factor yet: let an owner set one up first')
}

/** Throws if the installation password would bypass the second factor of owners. */
export async function needNoSecondFactorOfOwners(tx: Queries): Promise<void> {
  if (!(await secondFactorRoles(tx)).includes('owner')) return
  throw new ApiError('conflict', 'owners need a second factor, which the installation password does not have')
}

/** Throws if the role's second factor may not be removed. */
export async function needRemovable(tx: Queries, role: Role): Promise<void> {
  if (!(await secondFactorRoles(tx)).includes(role)) return
  throw new ApiError('conflict', 'your role needs a second factor: set up another app instead of removing this one')
}

/**
 * The facts that decide whether an action comes before everything else: to change a generated first password, or to set
 * up the second factor that owners require for a role. Until then, a session or Basic credentials allow only the routes
 * for that action.
 */
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
