/**
 * What a machine must have: the processor time of a node for each kind of work, and what each thing takes in the store
 * (SQLite). Times of the processor are steadier than rates, and carry over to other machines; docs/operations.md has them.
 * The floor is a bare `node:http` server that answers one small body to the same client.
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
import { fileURLToPath } from 'node:url'
import { adminPassword, newClient } from './client.ts'
import { type FigureRow, quick, report, rowOf } from './figures.ts'
import { cpuOf, residentOf } from './service-process.ts'

const isFloor = process.argv.includes('--floor')
const times = quick ? 500 : 4_000
const atOnce = 8

/** The bytes of the pages that hold something. */
function bytesOf(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true })
  const value = (name: string): number => Number(Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0])
  const bytes = (value('page_count') - value('freelist_count')) * value('page_size')
  database.close()
  return bytes
}

/** Runs something so often, some at once. */
async function repeat(work: (index: number) => Promise<unknown>, count = times): Promise<void> {
  let next = 0
  const run = async (): Promise<void> => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, run))
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

/** A receiver of deliveries, which counts them. */
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
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    const fresh = residentOf(node.pid)
    const file = path.join(dataDir, 'waypost.db')
    const rows: FigureRow[] = []
    const warm = (): Promise<void> => repeat(async () => (await fetch(floor.base)).text(), 200)
    await warm()
    const before = cpuOf(floor.pid)
    await repeat(async () => (await fetch(floor.base)).text())
    const bare = (cpuOf(floor.pid) - before) / times
    const measure = async (what: string, work: (index: number) => Promise<unknown>, stored = false): Promise<void> => {
      const [cpu, bytes] = [cpuOf(node.pid), bytesOf(file)]
      await repeat(work)
      rows.push(rowOf(what, { figure: (cpuOf(node.pid) - cpu) / times, floor: bare, unit: 'µs of processor' }))
      if (stored) rows.push(rowOf(`${what}, kept`, { figure: (bytesOf(file) - bytes) / times, unit: 'bytes' }))
    }

    await client.call('POST', '/v3/connectors', { provider: 'virtual-calendar' })
    const connect = (email: string) =>
      client.call('POST', '/v3/connect/custom', { provider: 'virtual-calendar', settings: { email } })
    const { id } = (await connect('room')).data
    await client.call('POST', `/v3/grants/${id}/calendars`, { name: 'Bookings' })
    const events = `/v3/grants/${id}/events?calendar_id=primary`
    const first = 1_798_761_600
    const create = (index: number): Promise<unknown> => {
      const start_time = first + index * 1800
      const when = { start_time, end_time: start_time + 1800 }
      return client.call('POST', events, { title: `Meeting ${index}`, when, description: 'A meeting about something.' })
    }
    await repeat(() => client.call('GET', `/v3/grants/${id}`), 500)
    await measure('GET one grant', () => client.call('GET', `/v3/grants/${id}`))
    await measure('a grant is made', (index) => connect(`room-${index}`), true)
    await measure('an event is made', create, true)
    const window = `&start=${first}&end=${first + 86_400 * 30}&limit=50`
    await measure('a list of 50 events', () => client.call('GET', `${events}${window}`))
    using receiver = await openReceiver()
    await client.call('POST', '/v3/webhooks', { webhook_url: receiver.url, trigger_types: ['event.created'] })
    await measure(
      'an event is made, and told to one destination',
      async (index) => {
        await create(index + times)
        // What is told is part of the work: the last ones are waited for.
        if (index === times - 1) while (receiver.count() < times) await new Promise((done) => setTimeout(done, 20))
      },
      true,
    )
    rows.push(rowOf('resident, fresh', { figure: fresh, unit: 'MB' }))
    rows.push(rowOf('resident, after all of this', { figure: residentOf(node.pid), unit: 'MB' }))
    report(rows)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
