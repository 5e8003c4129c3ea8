/**
 * The unit costs on a node and on PostgreSQL: processor time of both, bytes of the write-ahead log and of the tables.
 * The arithmetic of docs/scale.md is based on them. The number of concurrent clients is that of `bench/http.ts`. They
 * run in this process, on persistent connections. Code is warmed up first: a newly started node costs twice as much.
 *
 *   npm run bench:units [-- --quick] [-- --json]
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '@waypost/testing/peers/postgres'
import pg from 'pg'
import { type FigureRow, quick, report, rowOf } from './figures.ts'
import { cpuOf, startServiceProcess } from './service-process.ts'
import { connections, openSteadyClient } from './steady-client.ts'
import { together } from './together.ts'
import { countProcessor } from './webhooks/processor.ts'

const times = quick ? 5_000 : 20_000
/** The system reports processor time in hundredths of a second, so cheap operations run more often. */
const reads = 4 * times
const warmUp = quick ? 3_000 : 10_000
const grantCount = 16
const firstStart = 1_798_761_600

let delivered = 0
const receiver = createServer((request, response) => {
  const challenge = new URL(request.url ?? '', 'http://receiver').searchParams.get('challenge')
  if (challenge === null) delivered++
  request.resume().on('end', () => response.end(challenge ?? 'ok'))
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')

await using postgres = await startPostgres()
const url = await postgres.createDatabase()
await using service = await startServiceProcess(url)
await using steady = openSteadyClient(service)
const client = new pg.Client(url)
await client.connect()
const numberOf = async (query: string): Promise<number> => Number((await client.query(query)).rows[0].n)
const logged = (): Promise<number> => numberOf(`select pg_current_wal_lsn() - '0/0'::pg_lsn as n`)
const retained = (): Promise<number> => numberOf('select pg_database_size(current_database()) as n')

interface Cost {
  node: number
  store: number
  log: number
  disk: number
}

interface Work {
  times: number
  each(index: number): Promise<unknown>
  /** Background work that must finish as part of it. */
  ended?(): Promise<void>
}

async function costOf({ times, each, ended }: Work): Promise<Cost> {
  const spent = await countProcessor(postgres)
  const [cpu, log, disk] = [cpuOf(service.pid), await logged(), await retained()]
  await together(times, connections, each)
  await ended?.()
  return {
    node: (cpuOf(service.pid) - cpu) / times,
    store: ((await spent()) * 1000) / times,
    log: ((await logged()) - log) / times,
    disk: ((await retained()) - disk) / times,
  }
}

const grants: string[] = []
await service.call('POST', '/v3/connectors', { provider: 'virtual-calendar' })
for (let index = 0; index < grantCount; index++) {
  const settings = { email: `resource-${index}@rooms.example` }
  const { id } = (await service.call('POST', '/v3/connect/custom', { provider: 'virtual-calendar', settings })).data
  await service.call('POST', `/v3/grants/${id}/calendars`, { name: 'Bookings' })
  grants.push(id)
}

let made = 0
function makeEvent(): Promise<unknown> {
  const start_time = firstStart + made * 1800
  const target = `/v3/grants/${grants[made++ % grantCount]}/events?calendar_id=primary`
  const when = { start_time, end_time: start_time + 1800 }
  return steady.call('POST', target, { title: `Meeting ${made}`, when, description: 'A meeting about something.' })
}

const readGrant = (index: number): Promise<unknown> => steady.call('GET', `/v3/grants/${grants[index % grantCount]}`)
await together(warmUp, connections, readGrant)
const read = await costOf({ times: reads, each: readGrant })
await together(warmUp, connections, makeEvent)
const plain = await costOf({ times, each: makeEvent })
const webhook_url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
await service.call('POST', '/v3/webhooks', { webhook_url, trigger_types: ['event.created'] })
await together(warmUp, connections, makeEvent)
while (delivered < warmUp) await sleep(20)
const reported = await costOf({
  times,
  each: makeEvent,
  async ended() {
    while (delivered < warmUp + times) await sleep(20)
  },
})

const rowsOf = (what: string, { node, store, log, disk }: Cost, { stored = true } = {}): FigureRow[] => [
  rowOf(`${what}: the node`, { store: 'PostgreSQL', figure: node, unit: 'µs of processor' }),
  rowOf(`${what}: PostgreSQL`, { store: 'PostgreSQL', figure: store, unit: 'µs of processor' }),
  ...(stored ? [rowOf(`${what}: log`, { store: 'PostgreSQL', figure: log, unit: 'bytes' })] : []),
  ...(stored ? [rowOf(`${what}: tables and indexes`, { store: 'PostgreSQL', figure: disk, unit: 'bytes' })] : []),
]
const telling: Cost = {
  node: reported.node - plain.node,
  store: reported.store - plain.store,
  log: reported.log - plain.log,
  disk: reported.disk - plain.disk,
}
report([
  ...rowsOf('one grant is read', read, { stored: false }),
  ...rowsOf('an event is made', plain),
  ...rowsOf('it is told to one destination', telling),
])
await client.end()
receiver.close()
receiver.closeAllConnections()
