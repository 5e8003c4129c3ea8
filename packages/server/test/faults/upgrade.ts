/**
 * Three nodes behind a balancer, under a load of writes, deliveries, reads and messages, whose programs are replaced one
 * after the other.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Program } from '@waypost/testing/programs'
import pg from 'pg'
import { type Balancer, type Member, openBalancer } from './balancer.ts'
import type { ProgramFile } from './node.ts'
import { conclude, figuresOf, type Outcome, percentile, rounded, type Stage } from './scenario.ts'
import { openSenders, type Senders } from './senders.ts'
import { openSite, type Site } from './site.ts'
import { startWriter, type Writer } from './writer.ts'

const roles = ['api', 'worker'] as const
const nodes = 3
/** How long a client repeats a request that a stopping node has refused. */
const repeatMs = 60_000

export type NodeProgram = Program | ProgramFile

interface Request {
  from: number
  to: number
  /** Undefined without a response. */
  status: number | undefined
  /** What was asked and what the service said, if it refused. */
  reported?: string
}

export type FleetMember = Member & { program: NodeProgram }

export interface Fleet extends AsyncDisposable {
  readonly members: FleetMember[]
  /** Replaces a node by one of another program; starts the new one before or after the end of the old one. */
  replace(member: FleetMember, program: NodeProgram, startsFirst: boolean): Promise<void>
  /** Ends the load, and checks that nothing was lost, done twice or cut off. */
  conclude(): Promise<Outcome>
}

export interface FleetOptions {
  databaseUrl: string
  program: NodeProgram
  stage: Stage
}

/** Starts three nodes of a program, with accounts, destinations and a load. */
export async function openFleet({ databaseUrl, program, stage }: FleetOptions): Promise<Fleet> {
  await using stack = new AsyncDisposableStack()
  // A busy machine notices late that a node is not ready.
  const settings = { WAYPOST_SHUTDOWN_ANNOUNCE_MS: stage.timed ? '4000' : '8000' }
  const site = stack.use(await openSite({ databaseUrl, destinations: 3, settings }))
  const balancer = stack.use(openBalancer())
  const start = async (own: NodeProgram): Promise<FleetMember> => {
    const member = balancer.add(await site.startProgram(own, ...roles))
    return Object.assign(member, { program: own })
  }
  const members = [await start(program)]
  await site.settle()
  for (let count = 1; count < nodes; count++) members.push(await start(program))
  const senders = stack.use(await openSenders(site, 2))
  await allReady(balancer)
  site.balance(() => balancer.next()?.node)
  const locks = stack.use(await watchLocks(databaseUrl))
  const load = startLoad(site, senders, stage)
  const periods: { from: number; to: number }[] = []
  const broken: string[] = []
  const retained = stack.move()
  return {
    members,
    async replace(member, next, startsFirst) {
      const from = performance.now()
      const early = startsFirst ? await start(next) : undefined
      if (early) await allReady(balancer)
      const problem = await end(balancer, member)
      if (problem !== undefined) broken.push(problem)
      members.splice(members.indexOf(member), 1, early ?? (await start(next)))
      await allReady(balancer)
      periods.push({ from, to: performance.now() })
    },
    async conclude() {
      const outcome = await load.conclude()
      const counts = periods.map(
        ({ from, to }) => load.requests().filter((each) => each.to >= from && each.to <= to).length,
      )
      return {
        figures: {
          replacements: periods.length,
          ...outcome.figures,
          'requests by replacement': counts.join(' '),
          'longest wait for a table lock, ms': rounded(locks.maxMs()),
        },
        broken: [
          ...broken,
          ...outcome.broken,
          ...(counts.some((count) => count === 0) ? ['no request was made during a replacement'] : []),
        ],
      }
    },
    [Symbol.asyncDispose]: () => retained.disposeAsync(),
  }
}

async function allReady({ members }: Balancer): Promise<void> {
  while (![...members].every(({ isReady }) => isReady)) await sleep(20)
}

/** Stops a node as an operator would. Returns what went wrong. */
async function end(balancer: Balancer, member: Member): Promise<string | undefined> {
  member.node.signal('SIGTERM')
  const { code } = await member.node.ended
  balancer.members.delete(member)
  member.agent.destroy()
  return code === 0 ? undefined : `a node ended with ${code}: ${member.node.output().slice(-1_000)}`
}

/** Samples how long sessions wait for locks on tables. */
async function watchLocks(connectionString: string): Promise<AsyncDisposable & { maxMs(): number }> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  let longest = 0
  let isOver = false
  const text = `select coalesce(max(extract(epoch from clock_timestamp() - waitstart)), 0) * 1000 as ms
    from pg_locks where not granted and locktype = 'relation' and waitstart is not null
    and database = (select oid from pg_database where datname = current_database())`
  const watching = (async () => {
    while (!isOver) {
      const { rows } = await client.query<{ ms: string }>(text)
      longest = Math.max(longest, Number(rows[0]?.ms))
      await sleep(25)
    }
  })()
  return {
    maxMs: () => longest,
    async [Symbol.asyncDispose]() {
      isOver = true
      await watching
      await client.end()
    },
  }
}

interface Load {
  requests(): Request[]
  conclude(): Promise<Outcome>
}

function startLoad(site: Site, senders: Senders, stage: Stage): Load {
  const writer = startWriter(site, { rate: stage.short ? 10 : 15 })
  const reads: Request[] = []
  const sends: (Request & { subject: string })[] = []
  let isOver = false
  let repeated = 0
  const ask = async (method: string, target: string, body?: unknown, key?: string): Promise<Request> => {
    const from = performance.now()
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
    try {
      const { status, body: answered } = await site.call(method, target, { body, headers })
      const reported = status >= 400 ? { reported: `${method} ${target}: ${JSON.stringify(answered)}` } : {}
      return { from, to: performance.now(), status, ...reported }
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      return { from, to: performance.now(), status: undefined, reported: `${method} ${target}: ${cause}` }
    }
  }
  const read = async (): Promise<void> => {
    for (let turn = 0; !isOver; turn++) {
      const { grantId } = site.accounts[turn % site.accounts.length] ?? { grantId: '' }
      reads.push(await ask('GET', `/v3/grants/${grantId}`))
      await sleep(stage.short ? 50 : 25)
    }
  }
  const send = async (lane: number): Promise<void> => {
    for (let turn = 0; !isOver; turn++) {
      const { grantId } = senders.accounts[turn % senders.accounts.length] ?? { grantId: '' }
      const subject = `Upgrade ${lane} ${turn}.`
      const body = { to: [{ email: 'bob@example.com' }], subject, body: 'Text' }
      const key = `upgrade-${lane}-${turn}`
      const sent = () => ask('POST', `/v3/grants/${grantId}/messages/send`, body, key)
      let requested = await sent()
      // The mail server was slower than a stopping node can wait: the client repeats the request, as it was told.
      for (
        const until = requested.to + repeatMs;
        requested.status === 503 && requested.to < until;
        requested = await sent()
      ) {
        repeated++
        await sleep(250)
      }
      sends.push({ subject, ...requested })
      await sleep(stage.short ? 400 : 150)
    }
  }
  const loops = [...Array.from({ length: stage.short ? 2 : 4 }, read), send(0), send(1)]
  const written = (): Request[] =>
    writer.changes.map(({ requestedAt: from, answeredAt: to, status, refusal }) => ({
      ...{ from, to, status },
      ...(refusal === undefined ? {} : { reported: JSON.stringify(refusal) }),
    }))
  const requests = (): Request[] => [...reads, ...sends, ...written()]
  return {
    requests,
    async conclude() {
      isOver = true
      await Promise.all(loops)
      return concludeLoad(stage, { site, writer, senders, sends, requests, repeated })
    },
  }
}

interface Concluded {
  site: Site
  writer: Writer
  senders: Senders
  sends: readonly (Request & { subject: string })[]
  requests(): Request[]
  /** Messages that a stopping node could not send in time, and that were requested again. */
  repeated: number
}

async function concludeLoad(stage: Stage, load: Concluded): Promise<Outcome> {
  const { site, writer, senders, sends, requests, repeated } = load
  const verdict = await conclude(stage, { site, writer, faults: [] })
  const bySubject = Map.groupBy(senders.sink.taken, ({ source }) => /^Subject: (.*)\r$/m.exec(source)?.[1] ?? '')
  const times = ({ subject }: { subject: string }): number => bySubject.get(subject)?.length ?? 0
  const lost = sends.filter((each) => each.status === 200 && times(each) === 0)
  const twice = sends.filter((each) => times(each) > 1)
  const all = requests()
  const cut = all.filter(({ status }) => status === undefined)
  const failed = all.filter(({ status }) => status !== undefined && status >= 400)
  // A node that gets no processor refuses requests, with or without an upgrade.
  const shed = failed.filter(({ reported = '' }) => reported.includes('this node has too much to do'))
  const refused = failed.filter((each) => !shed.includes(each))
  const took = all.map(({ from, to }) => to - from)
  return {
    figures: {
      requests: all.length,
      'cut off': cut.length,
      refused: refused.length,
      'shed, the machine is busy': shed.length,
      ...figuresOf(verdict),
      lost: verdict.lost + lost.length,
      messages: sends.length,
      'sent twice': twice.length,
      repeated,
      'request p99, ms': rounded(percentile(took, 0.99)),
      'slowest request, ms': rounded(percentile(took, 1)),
    },
    broken: [
      ...verdict.broken,
      ...(lost.length > 0 ? [`${lost.length} messages were told as sent, and nobody took them`] : []),
      ...(twice.length > 0 ? [`${twice.length} messages were sent twice`] : []),
      ...(cut.length > 0 ? [`${cut.length} requests were cut off: ${JSON.stringify(cut.slice(0, 3))}`] : []),
      ...(refused.length > 0
        ? [`${refused.length} requests were refused: ${JSON.stringify(refused.slice(0, 3))}`]
        : []),
      ...(verdict.extra > 0 ? [`${verdict.extra} deliveries arrived twice`] : []),
    ],
  }
}
