/**
 * Sending, against the floor of bare nodemailer with pooled connections to the same server on this machine: messages per
 * second through one grant and through fifty, written down, sent and filed; and how late scheduled ones are that are due at
 * one second, beside what the floor needs for as many. The floor neither writes anything down nor files a copy; what it
 * comes to with a copy, filed by imapflow on open connections, is told too.
 *
 *   npm run bench:send [-- --quick] [-- --scheduled 5000] [-- --json]
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { ImapFlow } from 'imapflow'
import { createTransport } from 'nodemailer'
import type { MailObject } from '../packages/server/src/providers/operations.ts'
import { createLedger } from '../packages/server/src/sending/ledger.ts'
import { sql } from '../packages/server/src/store/database.ts'
import { startSink } from '../packages/server/test/faults/sink.ts'
import { startDovecot } from '../packages/server/test/peers/dovecot.ts'
import { quick, ratio, report } from './figures.ts'
import { openNode } from './node.ts'

const { values } = parseArgs({
  options: {
    scheduled: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const seconds = quick ? 2 : 5
const grants = quick ? 10 : 50
const count = Number(values.scheduled ?? (quick ? 500 : 5_000))
const never = new AbortController().signal

await using stack = new AsyncDisposableStack()
const sink = stack.use(await startSink())
const dovecot = stack.use(await startDovecot())
const opened = stack.use(await openNode({ WAYPOST_LOG_LEVEL: 'error' }, { serving: true }))
await opened.listen()
const { services, applicationId, call } = opened
const { database, clock, secrets, seals, notify, node, sender } = services
const ledger = createLedger({ database, clock, secrets, seals, notify, nodeId: node.id })
await call('POST', '/v3/connectors', { provider: 'imap' })
const accounts: { user: string; grantId: string }[] = []
for (let index = 0; index < grants; index++) {
  const { user, password } = await dovecot.addUser()
  const imap = { imap_username: user, imap_password: password, imap_host: dovecot.host, imap_port: dovecot.imapsPort }
  const settings = { ...imap, smtp_host: '127.0.0.1', smtp_port: sink.port, watch: false }
  const { id: grantId } = (await call('POST', '/v3/connect/custom', { provider: 'imap', settings })).data
  accounts.push({ user, grantId })
}

function mailFrom(user: string): MailObject {
  const messageId = `${randomUUID()}@example.com`
  const head = `Message-ID: <${messageId}>\r\nDate: ${new Date().toUTCString()}\r\nFrom: ${user}\r\nTo: bob@example.com\r\nSubject: Bench`
  const source = Buffer.from(`${head}\r\n\r\n${'Some text of a line.\r\n'.repeat(100)}`)
  return { messageId, from: user, recipients: ['bob@example.com'], source }
}

type Account = (typeof accounts)[number]

async function schedule({ user, grantId }: Account, dueAt: number): Promise<void> {
  const [id, mail] = [randomUUID(), mailFrom(user)]
  await database.transaction((tx) =>
    ledger.accept(tx, { id, applicationId, grantId, mail, dueAt, scheduleId: randomUUID(), facts: {} }),
  )
}

async function send({ user, grantId }: Account): Promise<void> {
  const [id, mail, dueAt] = [randomUUID(), mailFrom(user), clock.now()]
  const accept = (attempt: string | undefined) =>
    database.transaction((tx) => ledger.accept(tx, { id, applicationId, grantId, mail, dueAt, attempt, facts: {} }))
  const { state } = await sender.acceptAndSend({ id, mail, accept }, never)
  if (state !== 'sent') throw new Error(state)
}

/** Runs `work` by so many at a time for some seconds; answers how often in a second. */
async function rate(width: number, work: (index: number) => Promise<unknown>): Promise<number> {
  const from = performance.now()
  let count = 0
  await Promise.all(
    Array.from({ length: width }, async (_, index) => {
      while (performance.now() - from < seconds * 1000) {
        await work(index)
        count++
      }
    }),
  )
  return count / ((performance.now() - from) / 1000)
}

const bare = createTransport({
  host: '127.0.0.1',
  port: sink.port,
  ignoreTLS: true,
  pool: true,
  maxConnections: 2,
  maxMessages: Number.POSITIVE_INFINITY,
})
const raw = async (user: string): Promise<{ source: Buffer }> => {
  const { from, recipients, source } = mailFrom(user)
  const bytes = Buffer.from(source)
  await bare.sendMail({ envelope: { from, to: [...recipients] }, raw: bytes })
  return { source: bytes }
}
const [first = { user: '', grantId: '' }] = accounts
await rate(4, () => raw(first.user))
const floor = await rate(4, () => raw(first.user))
const copying: ImapFlow[] = []
for (let index = 0; index < 4; index++) copying.push(await dovecot.client(first.user))
await copying[0]?.mailboxCreate('Copies')
const floorWithCopy = await rate(4, async (index) => {
  const { source } = await raw(first.user)
  await copying[index]?.append('Copies', source, ['\\Seen'])
})
for (const client of copying) await client.logout()
bare.close()
const one = await rate(4, () => send(first))
// Lines to the servers are open, as they are where much is sent.
await Promise.all(accounts.map(send))
const fifty = await rate(grants, (index) => send(accounts[index] ?? first))

const dueAt = Math.ceil((clock.now() + 5_000 + count * 4) / 1000) * 1000
for (let index = 0; index < count; index += 50) {
  await Promise.all(
    Array.from({ length: Math.min(50, count - index) }, (_, at) =>
      schedule(accounts[(index + at) % grants] ?? first, dueAt),
    ),
  )
}
const before = sink.taken.length
while (sink.taken.length < before + count && clock.now() < dueAt + 300_000) await sleep(50)
const pending = sql<{ count: number }>('bench.pending', 'select count(*) as count from sends where next_at is not null')
while (((await database.get(pending))?.count ?? 0) > 0 && clock.now() < dueAt + 300_000) await sleep(50)
const filed = clock.now() - dueAt
const late = sink.taken
  .slice(before)
  .map(({ at }) => at - dueAt)
  .sort((a, b) => a - b)
const share = (part: number): number =>
  Math.round(late[Math.min(late.length - 1, Math.floor(late.length * part))] ?? Number.NaN)

const figures = {
  'bare nodemailer, two connections, per second': Math.round(floor),
  'the same with a copy filed by imapflow': Math.round(floorWithCopy),
  'one grant, per second': Math.round(one),
  'one grant, share of the floor': ratio(one, floor),
  'one grant, share of the floor with a copy': ratio(one, floorWithCopy),
  [`${grants} grants, per second`]: Math.round(fifty),
  [`${grants} grants, share of the floor`]: ratio(fifty, floor),
  [`${grants} grants, share of the floor with a copy`]: ratio(fifty, floorWithCopy),
  [`${count} due at one second: sent`]: late.length,
  'before their time': late.filter((ms) => ms < 0).length,
  'lateness p50, ms': share(0.5),
  'lateness p99, ms': share(0.99),
  'what the floor needs for as many, ms': Math.round((count / floor) * 1000),
  'until the last copy is filed, ms': filed,
}
report(figures)
