/**
 * The ids of messages that were sent and not filed yet, by their Message-IDs. Few are remembered: those that are forgotten
 * are looked for at the provider.
 */
export class SentIds {
  readonly #ids = new Map<string, string>()

  add(messageId: string, id: string): void {
    if (this.#ids.size >= maxIds) this.#ids.clear()
    this.#ids.set(messageId, id)
  }

  /** The id of a message; only the first who asks is told. */
  take(messageId: string): string | undefined {
    const id = this.#ids.get(messageId)
    this.#ids.delete(messageId)
    return id
  }
}

const maxIds = 2_000
