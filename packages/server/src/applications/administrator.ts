/**
 * The installation password, for the first start and for recovery: the user `admin` of HTTP Basic credentials, or a
 * session started with it, with the rights of an owner. Owners who can sign in themselves can turn it off.
 */
import { ApiError } from '@waypost/platform/api-error'
import type { Queries } from '@waypost/store/engine/database'
import { deleteAdminSessions } from '@waypost/store/tables/applications/admin-sessions'
import { keepFact, readFact, removeFact, writeFact } from '@waypost/store/tables/applications/installation'
import { countActiveOwners } from '@waypost/store/tables/applications/people'
import type { PasswordHashing } from './password-hashing.ts'
import { lockPeople } from './people.ts'

/** How long a generated password is valid. It must be changed at the first sign-in. */
const initialPasswordMs = 24 * 3_600_000

/** Stores a new password by its digest, in a transaction. The old one stops working immediately. */
export async function setAdminPassword(tx: Queries, digest: string): Promise<void> {
  await writeFact(tx, 'administrator', digest)
  await keepAdminPassword(tx)
}

/** Marks the password as chosen by a person, so it need not be changed. */
export const keepAdminPassword = (tx: Queries): Promise<number> => removeFact(tx, 'initial_password_until')

/** Stores a generated first password, in a transaction. Returns false if another process was faster. */
export async function proposeAdminPassword(tx: Queries, digest: string, now: number): Promise<boolean> {
  if ((await keepFact(tx, 'administrator', digest)) !== digest) return false
  await writeFact(tx, 'initial_password_until', String(now + initialPasswordMs))
  return true
}

/** Replaces the password with a generated one, in a transaction. */
export async function replaceAdminPassword(tx: Queries, digest: string, now: number): Promise<void> {
  await writeFact(tx, 'administrator', digest)
  await writeFact(tx, 'initial_password_until', String(now + initialPasswordMs))
}

/** Whether the installation password can be used. */
export const isInstallationPasswordOn = async (queries: Queries): Promise<boolean> =>
  (await readFact(queries, 'installation_password_off')) === undefined

/** Turns it on or off, in a transaction. Turning it off ends the sessions it started. One-time links still work. */
export async function switchInstallationPassword(tx: Queries, on: boolean, now: number): Promise<void> {
  await lockPeople(tx, now)
  if (on) {
    await removeFact(tx, 'installation_password_off')
    return
  }
  if ((await countActiveOwners(tx)) === 0) {
    throw new ApiError('conflict', 'no owner can sign in yet: invite one, and have the invitation accepted')
  }
  await keepFact(tx, 'installation_password_off', String(now))
}

export interface Administrator {
  /** The stored form of a password. */
  digest(password: string): Promise<string>
  /** Whether this is the installation password, whether or not it is turned on. */
  verify(password: string): Promise<boolean>
  /** Same as `verify`, but false while the password is turned off or an unchanged first password has expired. */
  admits(password: string, now: number): Promise<boolean>
}

export function createAdministrator(queries: Queries, hashing: PasswordHashing): Administrator {
  const verify = async (password: string): Promise<boolean> =>
    hashing.matches(await readFact(queries, 'administrator'), password)
  const isOver = async (now: number): Promise<boolean> =>
    Number((await readFact(queries, 'initial_password_until')) ?? Infinity) <= now
  return {
    digest: (password) => hashing.digest(password),
    verify,
    admits: async (password, now) =>
      (await verify(password)) && (await isInstallationPasswordOn(queries)) && !(await isOver(now)),
  }
}

/** Ends all sessions that belong to no person. */
export const endInstallationSessions = (queries: Queries, but?: string): Promise<number> =>
  deleteAdminSessions(queries, null, but)
