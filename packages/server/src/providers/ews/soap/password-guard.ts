/**
 * Keeps an account from being locked: directories count every refused password, and lock the user out after a few. Of
 * requests that were refused side by side, one shows the password once more; where it is refused again, nobody shows it any
 * more. What is known goes with the connections of the account, and those go with its credentials.
 */
import type { ProviderAnswer } from '../../shared/exchange.ts'

export interface Attempt {
  answer: ProviderAnswer
  /** Whether it was refused, and is worth another attempt. */
  again: boolean
}

/** Beside refusals of a moment that others got over. */
const mostAttempts = 3

export class PasswordGuard {
  #refusal: ProviderAnswer | undefined
  /** The one second attempt that is under way. */
  #second: Promise<Attempt> | undefined

  /** What comes of an attempt, or of a second one. */
  async run(attempt: () => Promise<Attempt>): Promise<ProviderAnswer> {
    for (let left = mostAttempts; ; left--) {
      if (this.#refusal) return this.#refusal
      const { answer, again } = await attempt()
      if (answer.status !== 401) return answer
      if (!again || left === 0) return this.#refuse(answer)
      if (!this.#second) return this.#tryAgain(attempt)
      // Where that one is let in, the refusal was of a moment.
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
