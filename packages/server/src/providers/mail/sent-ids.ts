/**
 * The ids of messages (or what else is known of them by then) that were sent and not filed yet, by their Message-IDs. Few are remembered: those that are forgotten
 * are looked for at the provider.
 */
export class SentIds<T = string> {
  readonly #ids = new Map<string, T>()

  add(messageId: string, id: T): void {
    if (this.#ids.size >= maxIds) this.#ids.clear()
    this.#ids.set(messageId, id)
  }

  /** The id of a message; only the first who asks is told. */
  take(messageId: string): T | undefined {
    const id = this.#ids.get(messageId)
    this.#ids.delete(messageId)
    return id
  }
}

const maxIds = 2_000
