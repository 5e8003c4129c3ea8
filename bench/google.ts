/**
 * The overhead of Google on lists: 50 messages and 50 events of a simulated account. The simulator delays each call
 * by 50 ms. The floor sends the same calls to the simulator directly with undici, on open connections. Prints the
 * number of calls per request. Read only ratios within one run.
 *
 *   npm run bench:google [-- --quick] [-- --json]
 */
import { Agent } from 'undici'
import { type GoogleSimulator, startGoogle } from '../packages/simulators/src/index.ts'
import { report } from './figures.ts'
import { openNode } from './node.ts'
import { connectByToken, measureLists } from './provider-lists.ts'

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
    const grantId = await connectByToken(node, simulator, 'google', { email, scopes })
    const from = Math.floor(now / 1000) - 1
    const targets = {
      messages: `/v3/grants/${grantId}/messages?limit=50`,
      events: `/v3/grants/${grantId}/events?calendar_id=primary&limit=50&start=${from}&end=${from + 50 * 3600}`,
    }
    report(await measureLists({ simulator, url, key: node.key, dispatcher: agent, targets, askers }))
  } finally {
    await agent.close()
  }
}

await main()
