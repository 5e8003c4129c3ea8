/**
 * Puts messages that are sent at the same time into one request. Messages wait only until the current task is over: a
 * worker starts all sends that it may start at once.
 */

export interface Sized {
  readonly bytes: number
}

export interface BatchLimits {
  readonly messages: number
  readonly bytes: number
}

/** Splits messages into batches within the limits, in their order. A message above the limit is alone. Pure. */
export function batchesOf<M extends Sized>(messages: readonly M[], limits: BatchLimits): M[][] {
  const batches: M[][] = []
  let bytes = 0
  for (const message of messages) {
    const last = batches.at(-1)
    if (last && last.length < limits.messages && bytes + message.bytes <= limits.bytes) {
      last.push(message)
      bytes += message.bytes
    } else {
      batches.push([message])
      bytes = message.bytes
    }
  }
  return batches
}

interface Waiting<M, A> extends Sized {
  readonly message: M
  resolve(answer: A): void
  reject(error: unknown): void
}

/** `request` returns the answers of a batch in the order of its messages. If it rejects, all of them reject. */
export class Batches<M extends Sized, A> {
  readonly #limits: BatchLimits
  readonly #request: (messages: readonly M[]) => Promise<readonly A[]>
  #waiting: Waiting<M, A>[] = []

  constructor(limits: BatchLimits, request: (messages: readonly M[]) => Promise<readonly A[]>) {
    this.#limits = limits
    this.#request = request
  }

  send(message: M): Promise<A> {
    if (this.#waiting.length === 0) setImmediate(() => this.#flush())
    return new Promise((resolve, reject) => {
      this.#waiting.push({ message, bytes: message.bytes, resolve, reject })
    })
  }

  #flush(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const batch of batchesOf(waiting, this.#limits)) void this.#exchange(batch)
  }

  async #exchange(batch: readonly Waiting<M, A>[]): Promise<void> {
    try {
      const answers = await this.#request(batch.map(({ message }) => message))
      for (const [at, { resolve, reject }] of batch.entries()) {
        const answer = answers[at]
        if (answer === undefined) reject(new Error('a batch has fewer answers than messages'))
        else resolve(answer)
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
}
