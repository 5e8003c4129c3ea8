/**
 * The overhead of Microsoft on lists: 50 messages, 50 events and 50 contacts of a simulated account. The simulator
 * delays each call by 50 ms. The floor sends the same calls to the simulator directly with undici, on open
 * connections. Prints the number of calls per request. Runs with one client and with four, the number of concurrent
 * requests that Graph allows per mailbox. Read only ratios within one run.
 *
 *   npm run bench:microsoft [-- --quick] [-- --json]
 */
import { Agent } from 'undici'
import { type MicrosoftSimulator, startMicrosoft } from '../packages/simulators/src/index.ts'
import { report } from './figures.ts'
import { openNode } from './node.ts'
import { connectByToken, measureLists } from './provider-lists.ts'

const latencyMs = 50
const email = 'bench@contoso.example'
const scopes = [
  ...['openid', 'profile', 'email', 'offline_access', 'User.Read'],
  ...['Mail.ReadWrite', 'Calendars.ReadWrite', 'Contacts.ReadWrite'],
]

const momentOf = (ms: number) => ({ dateTime: new Date(ms).toISOString().slice(0, 19), timeZone: 'UTC' })

function fill(simulator: MicrosoftSimulator, now: number): void {
  const { mail, calendar, contacts } = simulator.addAccount({ email, name: 'Bench' })
  for (let number = 0; number < 200; number++) {
    const text = `line ${number} of a message that somebody wrote\r\n`.repeat(40)
    mail.deliver(
      `From: Ann <ann@example.org>\r\nTo: ${email}\r\nSubject: Message ${number}\r\nMessage-ID: <${number}@example.org>\r\n` +
        `Date: ${new Date(now - number * 60_000).toUTCString()}\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}`,
      { at: now - number * 60_000 },
    )
    const start = now + number * 3_600_000
    calendar.addEvent({ subject: `Event ${number}`, start: momentOf(start), end: momentOf(start + 1_800_000) })
    contacts.addContact({
      givenName: `Contact ${number}`,
      emailAddresses: [{ address: `contact${number}@example.org` }],
      businessPhones: ['+1 202 555 0100'],
      homeAddress: { street: `${number} Engine Row`, city: 'London' },
    })
  }
}

async function main(): Promise<void> {
  const now = Date.now()
  await using simulator = await startMicrosoft({ latencyMs })
  fill(simulator, now)
  await using node = await openNode({ WAYPOST_ROLES: 'api', WAYPOST_MICROSOFT_URL: simulator.url })
  const agent = new Agent({ connections: 16, pipelining: 1 })
  try {
    const url = await node.listen()
    const grantId = await connectByToken(node, simulator, 'microsoft', { email, scopes })
    const from = Math.floor(now / 1000) - 1
    const targets = {
      messages: `/v3/grants/${grantId}/messages?limit=50`,
      events: `/v3/grants/${grantId}/events?calendar_id=primary&limit=50&start=${from}&end=${from + 50 * 3600}`,
      contacts: `/v3/grants/${grantId}/contacts?limit=50`,
    }
    report(await measureLists({ simulator, url, key: node.key, dispatcher: agent, targets, askers: [1, 4] }))
  } finally {
    await agent.close()
  }
}

await main()
