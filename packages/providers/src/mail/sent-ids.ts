/**
 * Ids (or other data) of messages that were sent but not filed yet, by Message-ID. Only a few are cached; the others
 * are searched for at the provider.
 */
export class SentIds<T = string> {
  readonly #ids = new Map<string, T>()

  add(messageId: string, id: T): void {
    if (this.#ids.size >= maxIds) this.#ids.clear()
    this.#ids.set(messageId, id)
  }

  /** Returns and removes the id of a message. */
  take(messageId: string): T | undefined {
    const id = this.#ids.get(messageId)
    this.#ids.delete(messageId)
    return id
  }
}

const maxIds = 2_000
