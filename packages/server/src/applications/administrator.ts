/**
 * The password of the installation, for a first start and for who is shut out: the user `admin` of HTTP Basic credentials,
 * or a session that it began, with the rights of an owner. Owners with a sign-in of their own can switch it off.
 */
import { ApiError } from '../lib/api-error.ts'
import { deleteAdminSessions } from '../store/admin-sessions.ts'
import type { Queries } from '../store/database.ts'
import { keepFact, readFact, removeFact, writeFact } from '../store/installation.ts'
import { countActiveOwners } from '../store/people.ts'
import type { PasswordHashing } from './password-hashing.ts'
import { lockPeople } from './people-lock.ts'

/** Stores a new password by its digest; the old one stops at once. */
export const setAdminPassword = async (queries: Queries, digest: string): Promise<void> =>
  void (await writeFact(queries, 'administrator', digest))

/** Stores a first password by its digest; false when somebody else was faster, and theirs stands. */
export const proposeAdminPassword = async (queries: Queries, digest: string): Promise<boolean> =>
  (await keepFact(queries, 'administrator', digest)) === digest

/** Whether it signs anybody in. */
export const isInstallationPasswordOn = async (queries: Queries): Promise<boolean> =>
  (await readFact(queries, 'installation_password_off')) === undefined

/** Switches it on or off, in a transaction. Off ends the sessions that it began; one-time links go on. */
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
  /** What is kept of a password. */
  digest(password: string): Promise<string>
  /** Whether the password is the installation's, be it switched on or off. */
  verify(password: string): Promise<boolean>
  /** The same; none is right while it is switched off. */
  admits(password: string): Promise<boolean>
}

export function createAdministrator(queries: Queries, hashing: PasswordHashing): Administrator {
  const verify = async (password: string): Promise<boolean> =>
    hashing.matches(await readFact(queries, 'administrator'), password)
  return {
    digest: (password) => hashing.digest(password),
    verify,
    admits: async (password) => (await verify(password)) && (await isInstallationPasswordOn(queries)),
  }
}

/** Ends the sessions that no person has. */
export const endInstallationSessions = (queries: Queries, but?: string): Promise<number> =>
  deleteAdminSessions(queries, null, but)
