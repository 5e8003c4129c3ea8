/**
 * The cost of a packaged node before any request: the time to its first response; its resident memory when fresh,
 * with watched mailboxes at a real dovecot, and per additional mailbox; and its processor use while all of them are
 * idle. The floor of the start and of a fresh node is a bare `node:http` process in the same run. Resident memory is
 * also broken down by kind: fresh, with the mailboxes, and after requests for pages of 50.
 *
 *   npm run package && npm run bench:memory [-- --quick] [-- --json]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer as createSocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startDovecot } from '@waypost/testing/peers/dovecot'
import { adminPassword, type Client, newClient } from './client.ts'
import { median, quick, report, rowOf } from './figures.ts'
import { connectGrant } from './imap/mailbox.ts'
import { kindsOf } from './memory/kinds.ts'
import { cpuOf, residentOf } from './service-process.ts'

const starts = quick ? 3 : 7
const fewGrants = 50
/** Enough additional grants that chance in the heap does not decide the figure per grant. */
const manyGrants = 300
const pages = quick ? 500 : 2_000
/** Every periodic task of an idle node runs once a minute. */
const idleMs = quick ? 60_000 : 120_000
/** Time for the work after a start to finish, including the collections by which V8 returns memory. */
const startedMs = 45_000
/** Time for the effects of a start to settle. */
const settleMs = quick ? 3_000 : 10_000
/**
 * Time for a node with many new connections to become idle. Connections from account checks stay open for a minute,
 * and memory is returned some ten seconds after the last one closes.
 */
const restMs = 80_000

const main = fileURLToPath(new URL('../build/waypost/packages/server/src/main.js', import.meta.url))
const floor = fileURLToPath(new URL('./memory/floor.ts', import.meta.url))

async function freePort(): Promise<number> {
  const server = createSocketServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}

interface Started {
  pid: number
  base: string
  /** Milliseconds from the start of the process to its first response. */
  took: number
  end(): Promise<void>
}

async function start(args: string[], env: Record<string, string>, port: number): Promise<Started> {
  const began = performance.now()
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env.PATH ?? '', ...env },
  })
  const base = `http://127.0.0.1:${port}`
  while (
    !(await fetch(`${base}/health`)
      .then((answer) => answer.text())
      .catch(() => undefined))
  ) {
    if (child.exitCode !== null) throw new Error('it ended before it answered')
    await sleep(5)
  }
  const took = performance.now() - began
  const end = async (): Promise<void> => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return { pid: child.pid ?? 0, base, took, end }
}

async function startFloor(): Promise<Started> {
  const port = await freePort()
  return start([floor, String(port)], {}, port)
}

async function startService(dataDir: string): Promise<Started> {
  const port = await freePort()
  const env = {
    ...{ WAYPOST_HOST: '127.0.0.1', WAYPOST_PORT: String(port), WAYPOST_DATA_DIR: dataDir },
    ...{ WAYPOST_ADMIN_PASSWORD: adminPassword, WAYPOST_RATE_LIMITS: 'off', WAYPOST_LOG_LEVEL: 'error' },
  }
  return start([main, 'serve'], env, port)
}

/** Processor use while idle, in percent of a core. */
async function idleOf({ pid }: Started, milliseconds = idleMs): Promise<number> {
  const [before, since] = [cpuOf(pid), performance.now()]
  await sleep(milliseconds)
  return ((cpuOf(pid) - before) / 1000 / (performance.now() - since)) * 100
}

async function watchedBy({ base }: Started): Promise<number> {
  const text = await (await fetch(`${base}/metrics`)).text()
  return Number(/^waypost_watched_grants (\d+)/m.exec(text)?.[1] ?? 0)
}

/** Each start has an existing store, as usual. The first start fills the cache of compiled code. */
async function measureStarts(dataDir: string) {
  const floors: { took: number; resident: number }[] = []
  const services: { took: number; resident: number }[] = []
  await (await startService(dataDir)).end()
  for (let turn = 0; turn < starts; turn++) {
    for (const [all, open] of [
      [floors, startFloor],
      [services, () => startService(dataDir)],
    ] as const) {
      const started = await open()
      await sleep(settleMs)
      all.push({ took: started.took, resident: residentOf(started.pid) })
      await started.end()
    }
  }
  const of = (all: typeof floors, what: 'took' | 'resident') => median(all.map((each) => each[what]))
  return {
    start: { figure: of(services, 'took') / 1000, floor: of(floors, 'took') / 1000 },
    fresh: { figure: of(services, 'resident'), floor: of(floors, 'resident') },
  }
}

async function measureWatches(dataDir: string) {
  await using server = await startDovecot({ connectionsPerUser: 100 })
  const service = await startService(dataDir)
  try {
    const started = await idleOf(service, startedMs)
    const idle = await idleOf(service)
    const kinds = await kindsOf('fresh', service)
    const client: Client = await newClient((target, request) => fetch(`${service.base}${target}`, request))
    await client.call('POST', '/v3/connectors', { provider: 'imap' })
    const hold = async (from: number, to: number): Promise<number> => {
      for (let number = from; number < to; number++)
        await connectGrant(client, server, { box: await server.addUser(), watch: true })
      while ((await watchedBy(service)) < to) await sleep(200)
      await sleep(restMs)
      return residentOf(service.pid)
    }
    const few = await hold(0, fewGrants)
    kinds.push(...(await kindsOf(`${fewGrants} watched`, service)))
    const many = await hold(fewGrants, manyGrants)
    const each = ((many - few) * 1024) / (manyGrants - fewGrants)
    kinds.push(...(await kindsOf(`${manyGrants} watched`, service)))
    const idleWatching = await idleOf(service)
    for (let page = 0; page < pages; page++) await client.call('GET', '/v3/grants?limit=50')
    kinds.push(...(await kindsOf(`after ${pages} pages of 50`, service)))
    return { started, idle, few, each, idleWatching, kinds }
  } finally {
    await service.end()
  }
}

async function measureAll(): Promise<void> {
  if (!existsSync(main)) throw new Error('there is no package to be measured: npm run package')
  const dataDir = mkdtempSync(path.join(tmpdir(), 'waypost-memory-'))
  try {
    const { start: first, fresh } = await measureStarts(dataDir)
    const watches = await measureWatches(dataDir)
    // Aims apply to the figure itself; the floor shows Node's share of it.
    const row = (what: string, unit: string, aim: string, figure: number, floor: number | null = null) =>
      rowOf(what, { figure, floor, unit, aim, isAbsolute: true })
    report([
      row('Start of the package to its first answer', 's', '<= 0.8', first.figure, first.floor),
      row('Resident, fresh', 'MB', '<= 110', fresh.figure, fresh.floor),
      row(`Resident, ${fewGrants} watched mailboxes`, 'MB', '<= 130', watches.few),
      row('Resident, each further watched mailbox', 'KB', '<= 60', watches.each),
      row(`In the ${startedMs / 1000} seconds after a start, no grants`, '% of a core', '', watches.started),
      row('Idle, no grants', '% of a core', '<= 0.1', watches.idle),
      row(`Idle, ${manyGrants} watched mailboxes`, '% of a core', '<= 0.1', watches.idleWatching),
      ...watches.kinds,
    ])
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

await measureAll()
