/**
 * The overhead of an Exchange server on lists: 50 messages, a month of events (40 single events and ten occurrences
 * of a series) and 50 contacts of a simulated account. The simulator delays each call by 50 ms. The floor sends the
 * same calls to the simulator directly with undici, on open connections. Prints the number of calls per request. Runs
 * with one client and with four, the number of concurrent requests per account. Read only ratios within one run.
 *
 *   npm run bench:ews [-- --quick] [-- --json]
 */
import { Agent } from 'undici'
import { type ExchangeSimulator, startExchange } from '../packages/simulators/src/index.ts'
import { report } from './figures.ts'
import { openNode } from './node.ts'
import { measureLists } from './provider-lists.ts'

const latencyMs = 50
const email = 'bench@exchange.example'
const password = 'simulated-password'
const day = 86_400_000

const momentOf = (ms: number): string => new Date(ms).toISOString()

function fill(simulator: ExchangeSimulator, midnight: number): void {
  const { mail, calendar, contacts } = simulator.addAccount({ email, password, name: 'Bench' })
  for (let number = 0; number < 200; number++) {
    const text = `line ${number} of a message that somebody wrote\r\n`.repeat(40)
    const at = midnight - number * 60_000
    mail.deliver(
      `From: Ann <ann@example.org>\r\nTo: ${email}\r\nSubject: Message ${number}\r\nMessage-ID: <${number}@example.org>\r\n` +
        `Date: ${new Date(at).toUTCString()}\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}`,
      { at },
    )
    contacts.addContact({ GivenName: `Contact ${number}`, DisplayName: `Contact ${number}` })
  }
  for (let number = 0; number < 40; number++) {
    const start = midnight + Math.floor(number / 2) * day + (9 + (number % 2)) * 3_600_000
    calendar.addEvent({ Subject: `Event ${number}`, Start: momentOf(start), End: momentOf(start + 1_800_000) })
  }
  calendar.addEvent({
    Subject: 'Daily',
    Start: momentOf(midnight + 15 * 3_600_000),
    End: momentOf(midnight + 16 * 3_600_000),
    Recurrence: {
      DailyRecurrence: { Interval: 1 },
      NumberedRecurrence: { StartDate: momentOf(midnight).slice(0, 10), NumberOfOccurrences: 10 },
    },
  })
}

async function main(): Promise<void> {
  const midnight = Math.floor(Date.now() / day) * day
  await using simulator = await startExchange({ latencyMs })
  fill(simulator, midnight)
  await using node = await openNode({
    WAYPOST_ROLES: 'api',
    WAYPOST_EWS_URL: simulator.url,
    WAYPOST_EGRESS: 'private',
  })
  const agent = new Agent({ connections: 16, pipelining: 1 })
  try {
    const url = await node.listen()
    await node.call('POST', '/v3/connectors', { provider: 'ews' })
    const settings = { ews_username: email, ews_password: password, ews_host: 'mail.exchange.example', email }
    const { id } = (await node.call('POST', '/v3/connect/custom', { provider: 'ews', settings })).data
    const from = midnight / 1000
    const targets = {
      messages: `/v3/grants/${id}/messages?limit=50`,
      'a month of events': `/v3/grants/${id}/events?calendar_id=primary&limit=200&start=${from}&end=${from + 30 * 86_400}&expand_recurring=true`,
      contacts: `/v3/grants/${id}/contacts?limit=50`,
    }
    report(await measureLists({ simulator, url, key: node.key, dispatcher: agent, targets, askers: [1, 4] }))
  } finally {
    await agent.close()
  }
}

await main()
