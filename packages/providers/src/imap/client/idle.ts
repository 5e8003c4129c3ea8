/** Waits on an open connection until the server reports a change (IDLE, RFC 2177) or until it is time to poll. */
import type { ImapFlow } from 'imapflow'
import { internals } from './internals.ts'

/** Time for the response to a command. */
const graceMs = 30_000
/** If IDLE ends earlier without a change, the server does not really support it. */
const minIdleMs = 5_000

export interface WaitOptions {
  idles: boolean
  /** Longest wait with IDLE, and without it. */
  milliseconds: number
  pollMs: number
  signal: AbortSignal
  /** Receives a function that ends the wait. */
  started(end: (() => void) | undefined): void
  /** Whether the server has reported a change. */
  hasNews(): boolean
}

/** Returns whether the server offers IDLE but does not support it. */
export async function waitForChange(client: ImapFlow, options: WaitOptions): Promise<{ refusesIdle: boolean }> {
  const { idles, milliseconds, pollMs, signal, started, hasNews } = options
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  /** Set when something ends the wait, not when the wait returns: the IDLE may end in between. */
  let isOver = false
  let refusesIdle = false
  const over = (): void => {
    isOver = true
    resolve()
  }
  const fail = (error: unknown): void => {
    isOver = true
    reject(error)
  }
  const closed = (): void => fail(Object.assign(new Error('the connection was closed'), { code: 'NoConnection' }))
  let timer = setTimeout(over, milliseconds)
  started(over)
  client.once('close', closed)
  signal.addEventListener('abort', over, { once: true })
  allowSilence(client, Math.max(milliseconds, pollMs) + graceMs)
  const begun = performance.now()
  const idled = (answer: unknown): void => {
    // We ended the IDLE ourselves.
    if (isOver) return
    const isEarly = answer === false || (!hasNews() && performance.now() - begun < minIdleMs)
    if (!isEarly) {
      over()
      return
    }
    // From now on the timer decides.
    refusesIdle = true
    clearTimeout(timer)
    timer = setTimeout(over, pollMs)
  }
  const idle = idles ? client.idle().then(idled, fail) : undefined
  try {
    await promise
    // Any command ends the IDLE.
    if (idle && !signal.aborted) await client.noop()
    await (signal.aborted ? undefined : idle)
  } finally {
    clearTimeout(timer)
    allowSilence(client, graceMs)
    started(undefined)
    client.off('close', closed)
    signal.removeEventListener('abort', over)
    if (signal.aborted) client.close()
  }
  return { refusesIdle }
}

/** Sets how long the connection may be silent before imapflow considers it dead. */
function allowSilence(client: ImapFlow, milliseconds: number): void {
  const { socket } = internals(client)
  if (socket) socket.setTimeout?.(milliseconds)
}
