/**
 * What Google adds to a list: 50 messages and 50 events of a simulated account, each call at the simulator delayed by
 * 50 ms, against the floor of the same calls at the simulator made bare with undici on connections that are open. Prints
 * how many calls a request needs. Only ratios within one run are meant to be read.
 *
 *   npm run bench:google [-- --quick] [-- --json]
 */
import { Agent, request } from 'undici'
import { type GoogleSimulator, startGoogle } from '../packages/simulators/src/index.ts'
import type { Client } from './client.ts'
import { median, quick, ratio, report, round } from './figures.ts'
import { openNode } from './node.ts'

const rounds = quick ? 5 : 15
const askers = [1, 10]
const latencyMs = 50
const email = 'bench@example.com'
const root = 'https://www.googleapis.com/auth/'
const scopes = ['openid', `${root}userinfo.email`, `${root}userinfo.profile`, `${root}gmail.modify`, `${root}calendar`]

function fill(simulator: GoogleSimulator, now: number): void {
  const account = simulator.addAccount({ email, name: 'Bench' })
  for (let number = 0; number < 200; number++) {
    const text = `line ${number} of a message that somebody wrote\r\n`.repeat(40)
    account.mail.deliver(
      `From: Ann <ann@example.org>\r\nTo: ${email}\r\nSubject: Message ${number}\r\nMessage-ID: <${number}@example.org>\r\n` +
        `Date: ${new Date(now - number * 60_000).toUTCString()}\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}`,
    )
  }
  for (let number = 0; number < 200; number++) {
    const start = new Date(now + number * 3_600_000).toISOString()
    const end = new Date(now + number * 3_600_000 + 1_800_000).toISOString()
    account.calendar.addEvent({ summary: `Event ${number}`, start: { dateTime: start }, end: { dateTime: end } })
  }
}

async function main(): Promise<void> {
  const now = Date.now()
  await using simulator = await startGoogle({ latencyMs })
  fill(simulator, now)
  await using node = await openNode({ WAYPOST_ROLES: 'api', WAYPOST_GOOGLE_URL: simulator.url })
  const agent = new Agent({ connections: 16, pipelining: 1 })
  try {
    const url = await node.listen()
    const grantId = await connect(node, simulator)
    const from = Math.floor(now / 1000) - 1
    const lists = {
      messages: `/v3/grants/${grantId}/messages?limit=50`,
      events: `/v3/grants/${grantId}/events?calendar_id=primary&limit=50&start=${from}&end=${from + 50 * 3600}`,
    }
    const results: Record<string, unknown> = {}
    for (const [name, target] of Object.entries(lists)) {
      const ask = async (): Promise<void> => {
        const { statusCode, body } = await request(url + target, {
          dispatcher: agent,
          headers: { authorization: `Bearer ${node.key}` },
        })
        const answer = (await body.json()) as { data: unknown[] }
        if (statusCode !== 200 || answer.data.length !== 50) throw new Error(`${name}: ${JSON.stringify(answer)}`)
      }
      const recorded = await record(simulator, ask)
      const replay = async (): Promise<void> => {
        for (const exchange of recorded) {
          const { statusCode, body } = await request(simulator.url + exchange.target, {
            ...exchange,
            dispatcher: agent,
          })
          await body.text()
          if (statusCode !== 200) throw new Error(`the floor of ${name} was answered ${statusCode}`)
        }
      }
      for (const count of askers) {
        const ours = await timed(count, ask)
        const floor = await timed(count, replay)
        results[`${name}, ${count} at a time`] = {
          'provider calls': recorded.length,
          milliseconds: round(ours, 1),
          floor: round(floor, 1),
          'times the floor': ratio(ours, floor),
        }
      }
    }
    report(results)
  } finally {
    await agent.close()
  }
}

async function connect({ call }: Client, simulator: GoogleSimulator): Promise<string> {
  const { id, secret } = simulator.client
  await call('POST', '/v3/connectors', { provider: 'google', settings: { client_id: id, client_secret: secret } })
  const { refreshToken } = simulator.grantToken(email, scopes)
  const settings = { refresh_token: refreshToken }
  return (await call('POST', '/v3/connect/custom', { provider: 'google', settings })).data.id
}

interface Recorded {
  target: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: Uint8Array | undefined
}

/** The calls at the simulator that one request causes, as they were made. */
async function record(simulator: GoogleSimulator, ask: () => Promise<void>): Promise<Recorded[]> {
  await ask()
  const seen: Recorded[] = []
  const stop = simulator.observe(({ batched, method, path: at, query, requestHeaders, requestBody }) => {
    if (batched) return
    const type = requestHeaders.get('content-type')
    seen.push({
      target: query.size > 0 ? `${at}?${query}` : at,
      method: method as 'GET' | 'POST',
      headers: {
        authorization: requestHeaders.get('authorization') ?? '',
        ...(type ? { 'content-type': type } : {}),
      },
      body: requestBody.length > 0 ? requestBody : undefined,
    })
  })
  await ask()
  stop()
  return seen
}

/** The median time of a round in which so many ask at a time. */
async function timed(count: number, ask: () => Promise<void>): Promise<number> {
  await Promise.all(Array.from({ length: count }, ask))
  const times: number[] = []
  for (let each = 0; each < rounds; each++) {
    const started = performance.now()
    await Promise.all(Array.from({ length: count }, ask))
    times.push(performance.now() - started)
  }
  return median(times)
}

await main()
