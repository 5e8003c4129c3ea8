/**
 * Hashes passwords with argon2id. A correct password is cached in memory as a digest under a random key, so that only
 * its first use pays for the derivation.
 */
import { argon2, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

/** The cost of a hash: memory in KiB and number of passes. */
export interface PasswordCost {
  memory: number
  passes: number
}

/** OWASP's parameters for argon2id. */
const recommendedCost: PasswordCost = { memory: 19_456, passes: 2 }
/** Maximum number of cached passwords: one per active person. */
const maxRemembered = 1000

export interface PasswordHashing {
  /** The stored form of a password. */
  digest(password: string): Promise<string>
  /**
   * Whether a password matches its stored form. Without one, the answer is false after the same time, so that the
   * timing does not reveal whether an account exists.
   */
  matches(stored: string | null | undefined, password: string): Promise<boolean>
  /**
   * The stored forms of several secrets of one person. They share a random salt, so that one derivation tests all of
   * them.
   */
  digestAll(secrets: readonly string[]): Promise<string[]>
  /** The stored form that matches a secret. Undefined if none does. */
  findDigest(stored: readonly string[], secret: string): Promise<string | undefined>
}

export function createPasswordHashing(cost = recommendedCost): PasswordHashing {
  const hash = (password: string, nonce: Buffer): Promise<Buffer> =>
    derive('argon2id', { message: password, nonce, parallelism: 1, tagLength: 32, ...cost })
  const pepper = randomBytes(32)
  const nobody = randomBytes(16)
  const remembered = new Set<string>()
  const remember = (key: string): void => {
    remembered.add(key)
    const [oldest] = remembered
    if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest)
  }

  const digest = async (secret: string, nonce: Buffer): Promise<string> =>
    `${nonce.toString('base64')}.${(await hash(secret, nonce)).toString('base64')}`

  return {
    digest: (password) => digest(password, randomBytes(16)),
    async digestAll(secrets) {
      const nonce = randomBytes(16)
      const digests: string[] = []
      // One after the other, because each takes the configured memory.
      for (const secret of secrets) digests.push(await digest(secret, nonce))
      return digests
    },
    async findDigest(stored, secret) {
      const nonces = new Set(stored.map((each) => each.split('.', 1)[0] ?? ''))
      for (const nonce of nonces) {
        const shown = Buffer.from(await digest(secret, Buffer.from(nonce, 'base64')))
        const found = stored.find((each) => each.length === shown.length && timingSafeEqual(Buffer.from(each), shown))
        if (found !== undefined) return found
      }
      return undefined
    },
    async matches(stored, password) {
      if (!stored) {
        await hash(password, nobody)
        return false
      }
      const key = createHmac('sha256', pepper).update(`${stored}\n${password}`).digest('base64')
      if (remembered.has(key)) return true
      const [nonce = '', expected = ''] = stored.split('.')
      const right = timingSafeEqual(await hash(password, Buffer.from(nonce, 'base64')), Buffer.from(expected, 'base64'))
      if (right) remember(key)
      return right
    },
  }
}
