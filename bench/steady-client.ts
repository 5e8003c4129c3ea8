/**
 * A cheap client on persistent connections. With a slow client, a node answers one request per turn of its event loop
 * and pays for the whole turn. `fetch` is such a slow client (it doubles the node's cost per request), so unit costs
 * are measured with this one.
 */
import { Agent, request } from 'undici'
import type { Answered, Client } from './client.ts'

/** The same number as in `bench/http.ts`. */
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
