/**
 * Prevents locking an account: directories count every refused password and lock the user out after a few. If
 * concurrent requests are refused, one of them presents the password once more. If it is refused again, the password
 * is not presented any more. The state is dropped with the connections of the account, and those with its
 * credentials.
 */
import type { ProviderAnswer } from '../../shared/exchange.ts'

export interface Attempt {
  answer: ProviderAnswer
  /** Whether it was refused, and another attempt may succeed. */
  again: boolean
}

/** In addition to temporary refusals that other requests overcame. */
const maxAttempts = 3

export class PasswordGuard {
  #refusal: ProviderAnswer | undefined
  /** The second attempt in progress. */
  #second: Promise<Attempt> | undefined

  /** The result of an attempt, or of a second one. */
  async run(attempt: () => Promise<Attempt>): Promise<ProviderAnswer> {
    for (let left = maxAttempts; ; left--) {
      if (this.#refusal) return this.#refusal
      const { answer, again } = await attempt()
      if (answer.status !== 401) return answer
      if (!again || left === 0) return this.#refuse(answer)
      if (!this.#second) return this.#tryAgain(attempt)
      // If that one succeeds, the refusal was temporary.
      await this.#second.catch(() => undefined)
    }
  }

  async #tryAgain(attempt: () => Promise<Attempt>): Promise<ProviderAnswer> {
    if (this.#refusal) return this.#refusal
    const made = attempt()
    this.#second = made
    try {
      const { answer } = await made
      return answer.status === 401 ? this.#refuse(answer) : answer
    } finally {
      if (this.#second === made) this.#second = undefined
    }
  }

  #refuse(answer: ProviderAnswer): ProviderAnswer {
    this.#refusal = answer
    return answer
  }
}
