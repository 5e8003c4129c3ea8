/**
 * Lists through a service, against the same calls sent directly to a provider. The calls that one request causes at a
 * simulator are recorded and repeated with undici, on open connections.
 */
import { type Dispatcher, request } from 'undici'
import type { Client } from './client.ts'
import { type FigureRow, median, quick, rowOf } from './figures.ts'

const rounds = quick ? 5 : 25
/** Warm-up rounds, until the code is compiled. */
const warmUp = quick ? 5 : 25
/** The aim with one client. Several clients share this process with the simulator, so there is no aim for them. */
const aim = '<= 1.25'

/** The parts of a simulator that the benchmark uses. */
export interface Observed {
  readonly url: string
  observe(
    listener: (exchange: {
      readonly batched: boolean
      readonly method: string
      readonly path: string
      readonly query: URLSearchParams
      readonly requestHeaders: Headers
      readonly requestBody: Uint8Array
    }) => void,
  ): () => void
}

export interface Lists {
  simulator: Observed
  /** The URL of the service, and the key of its application. */
  url: string
  key: string
  dispatcher: Dispatcher
  /** Their paths by name; each returns 50 objects. */
  targets: Readonly<Record<string, string>>
  /** Numbers of concurrent clients. */
  askers: readonly number[]
}

interface OAuthSimulator {
  client: { id: string; secret: string }
  grantToken(email: string, scopes: string[]): { refreshToken: string }
}

/** Creates the connector to a simulator, and a grant for one of its accounts; returns the id of the grant. */
export async function connectByToken(
  { call }: Client,
  { client, grantToken }: OAuthSimulator,
  provider: string,
  { email, scopes }: { email: string; scopes: readonly string[] },
): Promise<string> {
  const own = { client_id: client.id, client_secret: client.secret }
  await call('POST', '/v3/connectors', { provider, settings: own })
  const settings = { refresh_token: grantToken(email, [...scopes]).refreshToken }
  return (await call('POST', '/v3/connect/custom', { provider, settings })).data.id
}

/** Measures each list; a row also states its number of provider calls. */
export async function measureLists({ simulator, url, key, dispatcher, targets, askers }: Lists): Promise<FigureRow[]> {
  const rows: FigureRow[] = []
  for (const [name, target] of Object.entries(targets)) {
    const ask = async (): Promise<string> => {
      const headers = { authorization: `Bearer ${key}` }
      const { statusCode, body } = await request(url + target, { dispatcher, headers })
      const answer = await body.text()
      if (statusCode !== 200) throw new Error(`${name}: ${answer}`)
      return answer
    }
    const { data } = JSON.parse(await ask()) as { data: unknown[] }
    if (data.length !== 50) throw new Error(`${name}: ${data.length} were answered`)
    const recorded = await record(simulator, ask)
    const replay = async (): Promise<void> => {
      for (const exchange of recorded) {
        const { statusCode, body } = await request(simulator.url + exchange.target, { ...exchange, dispatcher })
        await body.text()
        if (statusCode !== 200) throw new Error(`the floor of ${name} was answered ${statusCode}`)
      }
    }
    for (const count of askers) {
      const pairs = await timedInTurns(count, ask, replay)
      const calls = `${recorded.length} ${recorded.length === 1 ? 'call' : 'calls'}`
      rows.push(
        rowOf(`${name}, ${count} at a time (${calls})`, {
          figure: median(pairs.map(({ service }) => service)),
          floor: median(pairs.map(({ floor }) => floor)),
          ratio: median(pairs.map(({ service, floor }) => service / floor)),
          unit: 'ms',
          aim: count === 1 ? aim : '',
        }),
      )
    }
  }
  return rows
}

interface Recorded {
  target: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: Uint8Array | undefined
}

/** The recorded simulator calls of one request. */
async function record(simulator: Observed, ask: () => Promise<unknown>): Promise<Recorded[]> {
  const seen: Recorded[] = []
  const stop = simulator.observe(({ batched, method, path: at, query, requestHeaders, requestBody }) => {
    if (batched) return
    const [type, prefer] = [requestHeaders.get('content-type'), requestHeaders.get('prefer')]
    seen.push({
      target: query.size > 0 ? `${at}?${query}` : at,
      method: method as 'GET' | 'POST',
      headers: {
        authorization: requestHeaders.get('authorization') ?? '',
        ...(type ? { 'content-type': type } : {}),
        ...(prefer ? { prefer } : {}),
      },
      body: requestBody.length > 0 ? requestBody : undefined,
    })
  })
  await ask()
  stop()
  return seen
}

interface Pair {
  service: number
  floor: number
}

/**
 * Times of rounds with a number of concurrent clients, service and floor in turns, so that load on the machine slows
 * both.
 */
async function timedInTurns(
  count: number,
  ask: () => Promise<unknown>,
  replay: () => Promise<unknown>,
): Promise<Pair[]> {
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const started = performance.now()
    await Promise.all(Array.from({ length: count }, work))
    return performance.now() - started
  }
  const pairs: Pair[] = []
  for (let each = -warmUp; each < rounds; each++) {
    const pair = { service: await timed(ask), floor: await timed(replay) }
    if (each >= 0) pairs.push(pair)
  }
  return pairs
}
