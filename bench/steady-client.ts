/**
 * A client that costs little, on connections that stay open: a node that is asked by a slow one answers one request in a
 * turn of its event loop, and pays for the whole turn. `fetch` is such a slow one (it doubles what a request costs the
 * node), so that unit costs are taken with this.
 */
import { Agent, request } from 'undici'
import type { Answered, Client } from './client.ts'

/** As many as `bench/http.ts` has. */
export const connections = 32

export interface SteadyClient extends AsyncDisposable {
  call: Client['call']
}

export function openSteadyClient({ base, key }: { base: string; key: string }): SteadyClient {
  const dispatcher = new Agent({ connections, pipelining: 1 })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return {
    async call(method, target, body) {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const answer = await request(base + target, { dispatcher, method: method as 'GET' | 'POST', headers, ...sent })
      const text = await answer.body.text()
      if (answer.statusCode >= 300) throw new Error(`${method} ${target}: ${text}`)
      return JSON.parse(text) as Answered
    },
    [Symbol.asyncDispose]: () => dispatcher.close(),
  }
}
