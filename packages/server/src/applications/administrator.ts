/**
 * The administrator: one password, kept as argon2id. Calls carry it as HTTP Basic credentials of the user `admin`, or a
 * session that it began. A password that was right is remembered in memory as a digest under a random key, so that only the first call pays.
 */
import { argon2, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Queries } from '../store/database.ts'
import { keepFact, readFact, writeFact } from '../store/installation.ts'

const derive = promisify(argon2)
/** OWASP's parameters for argon2id. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const

const hashPassword = (password: string, nonce: Buffer): Promise<Buffer> =>
  derive('argon2id', { message: password, nonce, ...cost })

/** What is kept of a password. */
export async function digestPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const digest = await hashPassword(password, nonce)
  return `${nonce.toString('base64')}.${digest.toString('base64')}`
}

/** Stores a new password by its digest; the old one stops at once. */
export const setAdminPassword = async (queries: Queries, digest: string): Promise<void> =>
  void (await writeFact(queries, 'administrator', digest))

/** Stores a first password; false when somebody else was faster, and theirs stands. */
export async function proposeAdminPassword(queries: Queries, password: string): Promise<boolean> {
  const proposed = await digestPassword(password)
  return (await keepFact(queries, 'administrator', proposed)) === proposed
}

export interface Administrator {
  /** Whether the password is the administrator's. */
  verify(password: string): Promise<boolean>
}

export function createAdministrator(queries: Queries): Administrator {
  const pepper = randomBytes(32)
  const digestOf = (stored: string, password: string): Buffer =>
    createHmac('sha256', pepper).update(`${stored}\n${password}`).digest()
  let remembered: Buffer | undefined

  return {
    async verify(password) {
      const stored = await readFact(queries, 'administrator')
      if (!stored) return false
      const digest = digestOf(stored, password)
      if (remembered && timingSafeEqual(remembered, digest)) return true
      const [nonce = '', expected = ''] = stored.split('.')
      const actual = await hashPassword(password, Buffer.from(nonce, 'base64'))
      const right = timingSafeEqual(actual, Buffer.from(expected, 'base64'))
      if (right) remembered = digest
      return right
    },
  }
}
