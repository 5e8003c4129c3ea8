/**
 * The password of the installation, for a first start and for who is shut out: the user `admin` of HTTP Basic credentials,
 * or a session that it began, with the rights of an owner. Owners with a sign-in of their own can switch it off.
 */
import { ApiError } from '../lib/api-error.ts'
import type { Queries } from '../store/engine/database.ts'
import { deleteAdminSessions } from '../store/tables/applications/admin-sessions.ts'
import { keepFact, readFact, removeFact, writeFact } from '../store/tables/applications/installation.ts'
import { countActiveOwners } from '../store/tables/applications/people.ts'
import type { PasswordHashing } from './password-hashing.ts'
import { lockPeople } from './people-lock.ts'

/** How long a password that the service made up signs in. It must be changed at the first sign-in. */
const initialPasswordMs = 24 * 3_600_000

/** Stores a new password by its digest, in a transaction; the old one stops at once. */
export async function setAdminPassword(tx: Queries, digest: string): Promise<void> {
  await writeFact(tx, 'administrator', digest)
  await keepAdminPassword(tx)
}

/** Says that the password is one that somebody chose, and so need not be changed. */
export const keepAdminPassword = (tx: Queries): Promise<number> => removeFact(tx, 'initial_password_until')

/** Stores a first password that the service made up, in a transaction; false when somebody else was faster. */
export async function proposeAdminPassword(tx: Queries, digest: string, now: number): Promise<boolean> {
  if ((await keepFact(tx, 'administrator', digest)) !== digest) return false
  await writeFact(tx, 'initial_password_until', String(now + initialPasswordMs))
  return true
}

/** Puts a password that the service made up in the place of the one before, in a transaction. */
export async function replaceAdminPassword(tx: Queries, digest: string, now: number): Promise<void> {
  await writeFact(tx, 'administrator', digest)
  await writeFact(tx, 'initial_password_until', String(now + initialPasswordMs))
}

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
  /** The same; none is right while it is switched off, or when a first password was not changed in time. */
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

/** Ends the sessions that no person has. */
export const endInstallationSessions = (queries: Queries, but?: string): Promise<number> =>
  deleteAdminSessions(queries, null, but)
