/**
 * The administrator: one password, kept as argon2id. Calls carry it as HTTP Basic credentials of the user `admin`, or a
 * session that it began. A password that was right is remembered in memory as a digest under a random key, so that only the first call pays.
 */
import { argon2, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Queries } from '../store/database.ts'
import { keepFact, readFact, writeFact } from '../store/installation.ts'

const derive = promisify(argon2)

/** What a hash costs who guesses: KiB of memory, and how often they are gone through. */
export interface PasswordCost {
  memory: number
  passes: number
}

/** OWASP's parameters for argon2id. */
const recommendedCost: PasswordCost = { memory: 19_456, passes: 2 }

/** Stores a new password by its digest; the old one stops at once. */
export const setAdminPassword = async (queries: Queries, digest: string): Promise<void> =>
  void (await writeFact(queries, 'administrator', digest))

/** Stores a first password by its digest; false when somebody else was faster, and theirs stands. */
export const proposeAdminPassword = async (queries: Queries, digest: string): Promise<boolean> =>
  (await keepFact(queries, 'administrator', digest)) === digest

export interface Administrator {
  /** What is kept of a password. */
  digest(password: string): Promise<string>
  /** Whether the password is the administrator's. */
  verify(password: string): Promise<boolean>
}

export function createAdministrator(queries: Queries, cost = recommendedCost): Administrator {
  const hash = (password: string, nonce: Buffer): Promise<Buffer> =>
    derive('argon2id', { message: password, nonce, parallelism: 1, tagLength: 32, ...cost })
  const pepper = randomBytes(32)
  const digestOf = (stored: string, password: string): Buffer =>
    createHmac('sha256', pepper).update(`${stored}\n${password}`).digest()
  let remembered: Buffer | undefined

  return {
    async digest(password) {
      const nonce = randomBytes(16)
      return `${nonce.toString('base64')}.${(await hash(password, nonce)).toString('base64')}`
    },
    async verify(password) {
      const stored = await readFact(queries, 'administrator')
      if (!stored) return false
      const digest = digestOf(stored, password)
      if (remembered && timingSafeEqual(remembered, digest)) return true
      const [nonce = '', expected = ''] = stored.split('.')
      const actual = await hash(password, Buffer.from(nonce, 'base64'))
      const right = timingSafeEqual(actual, Buffer.from(expected, 'base64'))
      if (right) remembered = digest
      return right
    },
  }
}
