/** A node in a separate process. Other clients send cheap requests while it processes something large. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Answered } from '../client.ts'
import { round } from '../figures.ts'
import type { Busy, ServiceFacts, ServiceStart } from './service.ts'

export interface Lag {
  /** The time of the slowest response to another request. */
  'others wait, ms': number
  /** The longest time that the main thread computed without a pause. */
  'busy at once, ms': number
  'memory, MB': number
  'took, s': number
}

export interface Measured extends AsyncDisposable {
  key: string
  url: string
  /** Throws unless the response is a success. */
  call(method: string, target: string, body?: unknown): Promise<Answered>
  send(target: string, body: string | FormData, headers?: Record<string, string>, method?: string): Promise<unknown>
  measure(work: () => Promise<unknown>): Promise<Lag>
}

export async function startMeasured(start: ServiceStart): Promise<Measured> {
  const child = fork(new URL('./service.ts', import.meta.url), { execArgv: ['--expose-gc'] })
  child.send(start)
  const [{ url, key }]: [ServiceFacts] = (await once(child, 'message')) as [ServiceFacts]
  const probe = new Worker(new URL('./probe.ts', import.meta.url), { workerData: { url: `${url}/health` } })
  const ask = async <T>(from: Worker | typeof child): Promise<T> => {
    const answer = once(from, 'message')
    if (from instanceof Worker) from.postMessage('report')
    else from.send('report')
    return (await answer)[0]
  }
  const answered = async (method: string, target: string, init: RequestInit): Promise<Answered> => {
    const headers = { authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) }
    const response = await fetch(`${url}${target}`, { method, ...init, headers })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${target}: ${response.status} ${text.slice(0, 500)}`)
    return JSON.parse(text)
  }
  return {
    key,
    url,
    call: (method, target, body) =>
      answered(method, target, {
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    send: (target, body, headers = {}, method = 'POST') => answered(method, target, { body, headers }),
    async measure(work) {
      await ask<Busy>(child)
      await ask(probe)
      const begun = performance.now()
      await work()
      const took = (performance.now() - begun) / 1000
      const { slowest } = await ask<{ slowest: number }>(probe)
      const { stretch, peak, before } = await ask<Busy>(child)
      return {
        'others wait, ms': round(slowest, 0),
        'busy at once, ms': round(stretch, 0),
        'memory, MB': round(peak - before, 0),
        'took, s': round(took, 1),
      }
    },
    async [Symbol.asyncDispose]() {
      await probe.terminate()
      child.disconnect()
      await once(child, 'exit')
    },
  }
}
