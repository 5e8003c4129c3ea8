/**
 * Passwords as argon2id. One that was right is remembered in memory as a digest under a random key, so that only its first
 * use pays for the derivation.
 */
import { argon2, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

/** What a hash costs who guesses: KiB of memory, and how often they are gone through. */
export interface PasswordCost {
  memory: number
  passes: number
}

/** OWASP's parameters for argon2id. */
const recommendedCost: PasswordCost = { memory: 19_456, passes: 2 }
/** Passwords that are remembered: as many as people are at work. */
const mostRemembered = 1000

export interface PasswordHashing {
  /** What is kept of a password. */
  digest(password: string): Promise<string>
  /**
   * Whether a password is the one of which `stored` was kept. Where nothing is, none is right, which takes as long: nobody
   * learns by the time whether there is such an account.
   */
  matches(stored: string | null | undefined, password: string): Promise<boolean>
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
    if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest)
  }

  return {
    async digest(password) {
      const nonce = randomBytes(16)
      return `${nonce.toString('base64')}.${(await hash(password, nonce)).toString('base64')}`
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
