// Requests that the simulator sends: pushes of Pub/Sub and of calendar channels. Pushes to one URL are sent in
// sequence. A status other than 2xx, or an error, is a failure, and the push is retried a few times.

const timeoutMs = 10_000
const retryAfterMs = [50, 200, 1_000] as const

export type PushHeaders = Readonly<Record<string, string>>

export interface Push {
  readonly url: string
  /** Called again for every attempt. */
  headers(): PushHeaders | Promise<PushHeaders>
  readonly body: string
}

export interface Pushes {
  send(push: Push): void
  /** Resolves when no push is in progress. */
  settled(): Promise<void>
  /** Aborts pushes in progress. */
  close(): Promise<void>
}

export function createPushes(): Pushes {
  const stop = new AbortController()
  const sequences = new Map<string, Promise<void>>()

  async function attempt(push: Push): Promise<boolean> {
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(timeoutMs)])
    try {
      const headers = await push.headers()
      const response = await fetch(push.url, { method: 'POST', headers, body: push.body, signal, redirect: 'manual' })
      await response.body?.cancel()
      return response.ok
    } catch {
      return false
    }
  }

  async function deliver(push: Push): Promise<void> {
    for (const delay of [0, ...retryAfterMs]) {
      if (stop.signal.aborted) return
      if (delay > 0) await pause(delay, stop.signal)
      if (await attempt(push)) return
    }
  }

  return {
    send(push) {
      const sequence = (sequences.get(push.url) ?? Promise.resolve()).then(() => deliver(push))
      sequences.set(push.url, sequence)
      sequence.then(() => {
        if (sequences.get(push.url) === sequence) sequences.delete(push.url)
      })
    },
    async settled() {
      while (sequences.size > 0) await Promise.all(sequences.values())
    },
    async close() {
      stop.abort()
      while (sequences.size > 0) await Promise.all(sequences.values())
    },
  }
}

/** Waits, or returns immediately when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}
