/** The requests of `waypost mcp` to the service, several at a time, over connections that are used again. */
import { createEgress, type EgressConnection, EgressError, type EgressStream } from '@waypost/platform/egress/egress'

/** The service answers a call within this time, or with a stream that says something at least as often. */
const answerMs = 300_000
/** A stream of changes can last this long. The client then opens another. */
const lifetimeMs = 24 * 3_600_000
const maxBytes = 1024 * 1024 * 1024
/** Shorter than a server or proxy keeps an idle connection, so that no request meets one that is being closed. */
const idleMs = 2_000

export interface Posting {
  headers: Record<string, string>
  body: string
  signal: AbortSignal
}

export class Posts implements AsyncDisposable {
  readonly #url: URL
  /** The person at this machine named the host, so it can be any. */
  readonly #egress = createEgress({ mode: 'private' })
  readonly #free: EgressConnection[] = []

  constructor(url: URL) {
    this.#url = url
  }

  /** Posts, and calls `read` with the response. The response is over when `read` is. Redirects are not followed. */
  async post<T>(posting: Posting, read: (answer: EgressStream) => Promise<T>): Promise<T> {
    const connection = this.#take()
    const options = { ...posting, url: this.#url, method: 'POST' as const, deadlineMs: answerMs, silenceMs: answerMs }
    const answer = await connection.stream({ ...options, lifetimeMs, maxBytes })
    const result = await read(answer)
    if (connection.isOpen) this.#free.push(connection)
    return result
  }

  #take(): EgressConnection {
    for (let free = this.#free.pop(); free; free = this.#free.pop()) if (free.isOpen) return free
    return this.#egress.connection(this.#url, { idleMs })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#egress[Symbol.asyncDispose]()
  }
}

/** The reason why a request got no response, for a person. */
export const reasonOf = (error: unknown): string =>
  error instanceof EgressError ? error.message : error instanceof Error ? error.message : String(error)
