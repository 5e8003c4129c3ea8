/**
 * The machine requirements: a node's processor time for each kind of work, and the size of each object in the store
 * (SQLite). Processor times are more stable than rates and apply to other machines; docs/operations.md lists them.
 * The floor is a bare `node:http` server that returns one small body to the same client. Each kind of work is warmed
 * up first.
 *
 *   npm run bench:sizing [-- --quick] [-- --json]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { adminPassword, newClient } from './client.ts'
import { type FigureRow, quick, report, rowOf } from './figures.ts'
import { cpuOf, residentOf } from './service-process.ts'
import { connections, openSteadyClient } from './steady-client.ts'
import { together } from './together.ts'

const isFloor = process.argv.includes('--floor')
const times = quick ? 2_000 : 8_000
const warmUp = quick ? 1_000 : 4_000

/** The bytes of the pages in use. */
function bytesOf(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true })
  const value = (name: string): number => Number(Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0])
  const bytes = (value('page_count') - value('freelist_count')) * value('page_size')
  database.close()
  return bytes
}

async function started(
  args: string[],
  env: Record<string, string>,
): Promise<{ pid: number; base: string } & Disposable> {
  const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH ?? '', ...env } })
  let text = ''
  for await (const chunk of child.stdout) {
    text += String(chunk)
    const base = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0]
    if (base && child.pid) return { pid: child.pid, base, [Symbol.dispose]: () => void child.kill() }
  }
  throw new Error(`it did not start: ${text}`)
}

if (isFloor) {
  const body = JSON.stringify({ request_id: 'x', data: { id: 'x' } })
  const server = createServer((_request, response) => response.end(body)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
} else await measureAll()

/** A receiver that counts deliveries. */
async function openReceiver(): Promise<{ url: string; count(): number } & Disposable> {
  let count = 0
  const server = createServer((request, response) => {
    const challenge = new URL(request.url ?? '', 'http://receiver').searchParams.get('challenge')
    if (challenge === null) count++
    request.resume().on('end', () => response.end(challenge ?? 'ok'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { url, count: () => count, [Symbol.dispose]: () => void server.close() }
}

interface Work {
  work(index: number): Promise<unknown>
  /** Whether it adds rows to the store. */
  stored?: boolean
  ended?(): Promise<void>
}

async function measureAll(): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'waypost-sizing-'))
  try {
    const main = fileURLToPath(new URL('../packages/server/src/main.ts', import.meta.url))
    using floor = await started([import.meta.filename, '--floor'], {})
    using node = await started([main, 'serve'], {
      WAYPOST_PORT: '0',
      WAYPOST_DATA_DIR: dataDir,
      WAYPOST_ADMIN_PASSWORD: adminPassword,
      WAYPOST_RATE_LIMITS: 'off',
      WAYPOST_LOG_LEVEL: 'warn',
    })
    const client = await newClient((target, request) => fetch(`${node.base}${target}`, request))
    await sleep(3_000)
    const fresh = residentOf(node.pid)
    const file = path.join(dataDir, 'waypost.db')
    const rows: FigureRow[] = []
    await using bareClient = openSteadyClient({ base: floor.base, key: '' })
    await using steady = openSteadyClient({ base: node.base, key: client.key })
    const costOf = async (pid: number, { work, ended }: Work): Promise<{ cpu: number; bytes: number }> => {
      await together(warmUp, connections, work)
      const [cpu, bytes] = [cpuOf(pid), bytesOf(file)]
      await together(times, connections, (index) => work(warmUp + index))
      await ended?.()
      return { cpu: (cpuOf(pid) - cpu) / times, bytes: (bytesOf(file) - bytes) / times }
    }
    const bare = await costOf(floor.pid, { work: () => bareClient.call('GET', '/') })
    const measure = async (what: string, work: Work): Promise<void> => {
      const { cpu, bytes } = await costOf(node.pid, work)
      rows.push(rowOf(what, { figure: cpu, floor: bare.cpu, unit: 'µs of processor' }))
      if (work.stored) rows.push(rowOf(`${what}, kept`, { figure: bytes, unit: 'bytes' }))
    }

    await client.call('POST', '/v3/connectors', { provider: 'virtual-calendar' })
    const connect = (email: string) =>
      steady.call('POST', '/v3/connect/custom', { provider: 'virtual-calendar', settings: { email } })
    const { id } = (await connect('room')).data
    await client.call('POST', `/v3/grants/${id}/calendars`, { name: 'Bookings' })
    const events = `/v3/grants/${id}/events?calendar_id=primary`
    const first = 1_798_761_600
    let made = 0
    const create = (): Promise<unknown> => {
      const start_time = first + made++ * 1800
      const when = { start_time, end_time: start_time + 1800 }
      return steady.call('POST', events, { title: `Meeting ${made}`, when, description: 'A meeting about something.' })
    }
    await measure('GET one grant', { work: () => steady.call('GET', `/v3/grants/${id}`) })
    await measure('a grant is made', { work: (index) => connect(`room-${index}`), stored: true })
    await measure('an event is made', { work: create, stored: true })
    const window = `&start=${first}&end=${first + 86_400 * 30}&limit=50`
    await measure('a list of 50 events', { work: () => steady.call('GET', `${events}${window}`) })
    using receiver = await openReceiver()
    await client.call('POST', '/v3/webhooks', { webhook_url: receiver.url, trigger_types: ['event.created'] })
    await measure('an event is made, and told to one destination', {
      work: create,
      stored: true,
      // Notifications are part of the work: wait for the last ones.
      async ended() {
        while (receiver.count() < warmUp + times) await sleep(20)
      },
    })
    rows.push(rowOf('resident, fresh', { figure: fresh, unit: 'MB' }))
    rows.push(rowOf('resident, after all of this', { figure: residentOf(node.pid), unit: 'MB' }))
    report(rows)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
