/**
 * What one of each costs a node and PostgreSQL: processor time of both, bytes of the write-ahead log and of the tables. The
 * arithmetic of docs/scale.md is made of these. Sixteen clients ask at a time, in this process.
 *
 *   npm run bench:units [-- --quick] [-- --json]
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from '../packages/server/test/peers/postgres.ts'
import { type FigureRow, quick, report, rowOf } from './figures.ts'
import { cpuOf, startServiceProcess } from './service-process.ts'
import { together } from './together.ts'
import { countProcessor } from './webhooks/processor.ts'

const times = quick ? 2_000 : 20_000
const atOnce = 16
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
const client = new pg.Client(url)
await client.connect()
const numberOf = async (query: string): Promise<number> => Number((await client.query(query)).rows[0].n)
const logged = (): Promise<number> => numberOf(`select pg_current_wal_lsn() - '0/0'::pg_lsn as n`)
const kept = (): Promise<number> => numberOf('select pg_database_size(current_database()) as n')

interface Cost {
  node: number
  store: number
  log: number
  disk: number
}

async function costOf(work: (index: number) => Promise<unknown>, ended?: () => Promise<void>): Promise<Cost> {
  const spent = await countProcessor(postgres)
  const [cpu, log, disk] = [cpuOf(service.pid), await logged(), await kept()]
  await together(times, atOnce, work)
  await ended?.()
  return {
    node: (cpuOf(service.pid) - cpu) / times,
    store: ((await spent()) * 1000) / times,
    log: ((await logged()) - log) / times,
    disk: ((await kept()) - disk) / times,
  }
}

const grants: string[] = []
await service.call('POST', '/v3/connectors', { provider: 'virtual-calendar' })
for (let index = 0; index < atOnce; index++) {
  const settings = { email: `resource-${index}@rooms.example` }
  const { id } = (await service.call('POST', '/v3/connect/custom', { provider: 'virtual-calendar', settings })).data
  await service.call('POST', `/v3/grants/${id}/calendars`, { name: 'Bookings' })
  grants.push(id)
}

let made = 0
function makeEvent(): Promise<unknown> {
  const start_time = firstStart + made * 1800
  const target = `/v3/grants/${grants[made++ % atOnce]}/events?calendar_id=primary`
  const when = { start_time, end_time: start_time + 1800 }
  return service.call('POST', target, { title: `Meeting ${made}`, when, description: 'A meeting about something.' })
}

const readGrant = (index: number): Promise<unknown> => service.call('GET', `/v3/grants/${grants[index % atOnce]}`)
await together(1_000, atOnce, makeEvent)
await together(1_000, atOnce, readGrant)
const read = await costOf(readGrant)
const plain = await costOf(makeEvent)
const webhook_url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
await service.call('POST', '/v3/webhooks', { webhook_url, trigger_types: ['event.created'] })
await together(500, atOnce, makeEvent)
while (delivered < 500) await sleep(20)
const before = delivered
const told = await costOf(makeEvent, async () => {
  while (delivered < before + times) await sleep(20)
})

const rowsOf = (what: string, { node, store, log, disk }: Cost, { stored = true } = {}): FigureRow[] => [
  rowOf(`${what}: the node`, { store: 'PostgreSQL', figure: node, unit: 'µs of processor' }),
  rowOf(`${what}: PostgreSQL`, { store: 'PostgreSQL', figure: store, unit: 'µs of processor' }),
  ...(stored ? [rowOf(`${what}: log`, { store: 'PostgreSQL', figure: log, unit: 'bytes' })] : []),
  ...(stored ? [rowOf(`${what}: tables and indexes`, { store: 'PostgreSQL', figure: disk, unit: 'bytes' })] : []),
]
const telling: Cost = {
  node: told.node - plain.node,
  store: told.store - plain.store,
  log: told.log - plain.log,
  disk: told.disk - plain.disk,
}
report([
  ...rowsOf('one grant is read', read, { stored: false }),
  ...rowsOf('an event is made', plain),
  ...rowsOf('it is told to one destination', telling),
])
await client.end()
receiver.close()
receiver.closeAllConnections()
