/**
 * Sending through the API, against a program that sends with nodemailer on pooled connections to the same server and
 * files a copy with imapflow on open ones. Measures messages per second and processor time: through one grant, with 1
 * KB and with a file of 200 KB, and through fifty grants. Service and floor alternate in one run; the floor stores
 * nothing. Service, floor and the receiving server are separate processes. Without `--quick`, it also measures the
 * delay of scheduled messages that are due in the same second, compared with the time of the floor for as many. They
 * are due a minute later at the earliest.
 *
 *   npm run bench:send [-- --quick] [-- --scheduled 5000] [-- --json]
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startDovecot } from '@waypost/testing/peers/dovecot'
import { type FigureRow, median, percentile, quick, report, round, rowOf } from './figures.ts'
import { startContender } from './process.ts'
import { bodyOf, createDriver } from './send/driver.ts'
import type { FloorStart, Measured, Round } from './send/floor.ts'
import { type Size, sizes } from './send/message.ts'
import type { ServiceFacts, Used } from './send/service.ts'
import type { SinkFacts } from './send/sink.ts'

const { values } = parseArgs({
  options: {
    scheduled: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const seconds = quick ? 1.2 : 4
const turns = quick ? 3 : 7
/**
 * The length of the warm-up turn. It does not shrink with `--quick`: a process needs this long to compile its code.
 */
const warmSeconds = 4
const width = 4
const grants = quick ? 10 : 50
const scheduled = Number(values.scheduled ?? (quick ? 0 : 2_000))
const aim = '>= 0.70'

await using stack = new AsyncDisposableStack()
const dovecot = stack.use(await startDovecot())
const server = { imapsPort: dovecot.imapsPort, ca: dovecot.ca }
const sink = stack.use(
  await startContender<object, SinkFacts, 'taken', number[]>(new URL('./send/sink.ts', import.meta.url), {}),
)
const smtpPort = sink.facts.port
const floor = stack.use(
  await startContender<FloorStart, undefined, Round, Measured>(new URL('./send/floor.ts', import.meta.url), {
    ...{ smtpPort, server, width },
    box: await dovecot.addUser(),
  }),
)
const service = stack.use(
  await startContender<{ ca: string }, ServiceFacts, 'used', Used>(new URL('./send/service.ts', import.meta.url), {
    ca: dovecot.ca,
  }),
)
const { post, run } = createDriver(service.facts, () => service.ask('used'))
await post('/v3/connectors', { provider: 'imap' })
const accounts: string[] = []
for (let index = 0; index < grants; index++) {
  const { user, password } = await dovecot.addUser()
  const imap = { imap_username: user, imap_password: password, imap_host: dovecot.host, imap_port: dovecot.imapsPort }
  const settings = { ...imap, smtp_host: '127.0.0.1', smtp_port: smtpPort, watch: false }
  accounts.push(String((await post('/v3/connect/custom', { provider: 'imap', settings })).id))
}
const grantOf = (asker: number): string => accounts[asker % grants] ?? ''

interface Turn {
  floor: Measured
  ours: Measured
}

/** Floor and service alternate; the first turn of each is warm-up. */
async function inTurns(size: Size, ours: (seconds: number) => Promise<Measured>): Promise<Turn[]> {
  const turnOf = async (lasting: number): Promise<Turn> => ({
    floor: await floor.ask({ size, seconds: lasting, copies: true }),
    ours: await ours(lasting),
  })
  await turnOf(warmSeconds)
  const taken: Turn[] = []
  for (let turn = 0; turn < turns; turn++) taken.push(await turnOf(seconds))
  return taken
}

const of = (taken: readonly Turn[], pick: (turn: Turn) => number): number => median(taken.map(pick))

function rowsOf(what: string, taken: readonly Turn[]): FigureRow[] {
  const rate = { figure: of(taken, (turn) => turn.ours.perSecond), floor: of(taken, (turn) => turn.floor.perSecond) }
  const cpu = { figure: of(taken, (turn) => turn.ours.cpu), floor: of(taken, (turn) => turn.floor.cpu) }
  const share = of(taken, ({ ours, floor: { perSecond } }) => ours.perSecond / perSecond)
  return [
    rowOf(`${what}, against nodemailer with a filed copy`, { ...rate, unit: 'per second', aim, ratio: share }),
    rowOf(`${what}, processor time of each`, { ...cpu, unit: 'ms' }),
  ]
}

const rows: FigureRow[] = []
for (const size of Object.keys(sizes) as Size[])
  rows.push(
    ...rowsOf(
      `send ${size}, one grant`,
      await inTurns(size, (lasting) => run({ size, seconds: lasting, width }, () => grantOf(0))),
    ),
  )
// Connections to the servers are already open, as under steady load.
const many = await inTurns('1 KB', (lasting) => run({ size: '1 KB', seconds: lasting, width: grants }, grantOf))
rows.push(...rowsOf(`send 1 KB, ${grants} grants`, many))
if (scheduled > 0) rows.push(...(await lateness(of(many, (turn) => turn.floor.perSecond))))
report(rows)

/** The delay of messages that are due in the same second. */
async function lateness(perSecond: number): Promise<FigureRow[]> {
  await sink.ask('taken')
  const dueAt = Math.ceil(Date.now() / 1000) + 65 + Math.ceil(scheduled / 50)
  const body = bodyOf('1 KB', { send_at: dueAt })
  for (let index = 0; index < scheduled; index += 20) {
    const some = Array.from({ length: Math.min(20, scheduled - index) }, (_, at) => index + at)
    await Promise.all(some.map((number) => post(`/v3/grants/${grantOf(number)}/messages/send`, body)))
  }
  const taken: number[] = []
  const deadline = dueAt * 1000 + 300_000
  while (taken.length < scheduled && Date.now() < deadline) {
    await sleep(100)
    taken.push(...(await sink.ask('taken')))
  }
  const late = taken.map((at) => at - dueAt * 1000)
  const whole = { floor: (scheduled / perSecond) * 1000, unit: 'ms' }
  return [
    rowOf(`${scheduled} due at one second: not sent`, {
      figure: scheduled - late.length,
      unit: 'messages',
      aim: '<= 0',
    }),
    rowOf('before their time', { figure: late.filter((ms) => ms < 0).length, unit: 'messages', aim: '<= 0' }),
    rowOf('how late at the median', { figure: round(median(late), 0), unit: 'ms' }),
    rowOf('how late at the 99th percentile, beside what the floor needs for as many', {
      figure: round(percentile(late, 0.99), 0),
      ...whole,
    }),
  ]
}
