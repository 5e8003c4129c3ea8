/**
 * Three processes behind one port (WAYPOST_WORKERS): one is killed, one hangs, and all are replaced at SIGHUP, under
 * load. Only requests on connections of a killed process break; they are repeated with the same Idempotency-Key.
 */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '../check.ts'
import type { Node } from '../node.ts'
import { between, conclude, figuresOf, percentile, type Scenario, type Stage, seconds } from '../scenario.ts'
import { openSite, type Site } from '../site.ts'
import { startWriter } from '../writer.ts'

const count = 3
const clients = 9
const patienceMs = 180_000
const replaced = 'all processes were replaced'

interface Running {
  pid: number
  node: string
}

const isReady = /"process":(\d+),.*"pid":(\d+),"node":"([^"]+)".*"msg":"ready"/

/** The process that became ready last in a place. */
function runningIn(node: Node, place: number): Running {
  const lines = node.processLines().flatMap((line) => {
    const found = isReady.exec(line)
    return found ? [found] : []
  })
  const [, , pid, id] = lines.findLast(([, number]) => Number(number) === place) ?? []
  if (pid === undefined || id === undefined) throw new Error(`no process became ready in place ${place}`)
  return { pid: Number(pid), node: id }
}

/** How often the supervisor logged this. */
const logged = (node: Node, message: string): number =>
  node.processLines().filter((line) => line.includes(`"msg":"${message}"`)).length

async function until(what: string, check: () => boolean): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (!check()) {
    if (performance.now() > deadline) throw new Error(`waited in vain: ${what}`)
    await sleep(20)
  }
}

interface Failure {
  at: number
  /** The node that this client's connection belonged to. */
  node: string
  code: string
}

interface Readers {
  readonly failures: Failure[]
  answered(): number
  stop(): Promise<void>
}

/** Clients that keep their connections, and note which node answers. */
function startReaders(base: string, pauseMs: number): Readers {
  const failures: Failure[] = []
  let answered = 0
  let isOver = false
  const ask = (agent: Agent): Promise<string> =>
    new Promise((resolve, reject) => {
      const requested = request(`${base}/ready`, { agent }, (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (text) => {
          body += text
        })
        response.on('error', reject).on('end', () => {
          if (response.statusCode === 200) resolve(JSON.parse(body).data.node)
          else reject(new Error(`status ${response.statusCode}`))
        })
      })
      requested.on('error', reject).end()
    })
  const read = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    let node = ''
    while (!isOver) {
      try {
        node = await ask(agent)
        answered++
      } catch (error) {
        failures.push({ at: performance.now(), node, code: error instanceof Error ? error.message : String(error) })
      }
      await sleep(pauseMs)
    }
    agent.destroy()
  }
  const reading = Array.from({ length: clients }, read)
  return {
    failures,
    answered: () => answered,
    async stop() {
      isOver = true
      await Promise.all(reading)
    },
  }
}

interface Crashes {
  faults: Fault[]
  /** The nodes whose processes were killed. */
  victims: Set<string>
  /** Milliseconds until another process was in the place. */
  times: number[]
}

/** Ends a process by a signal, and waits until another one is ready in its place. */
async function crash(node: Node, place: number, signal: 'SIGKILL' | 'SIGSTOP', crashes: Crashes): Promise<void> {
  const victim = runningIn(node, place)
  const from = performance.now()
  process.kill(victim.pid, signal)
  crashes.victims.add(victim.node)
  await until(`a process in place ${place}`, () => runningIn(node, place).pid !== victim.pid)
  const to = performance.now()
  crashes.faults.push({ from, to })
  crashes.times.push(to - from)
}

async function reload(node: Node): Promise<void> {
  const before = logged(node, replaced)
  node.signal('SIGHUP')
  await until('all processes to be replaced', () => logged(node, replaced) > before)
}

async function breakProcesses(stage: Stage, site: Site, more: () => Promise<void>): Promise<Crashes> {
  const { short, long, random, progress } = stage
  const crashes: Crashes = { faults: [], victims: new Set(), times: [] }
  const node = site.api()
  for (let round = 0; round < (short ? 1 : long ? 20 : 6); round++) {
    await more()
    await crash(node, (round % count) + 1, 'SIGKILL', crashes)
    await sleep(between(random, 100, 1_000))
  }
  progress(`${crashes.faults.length} kills`)
  for (let round = 0; round < (short ? 0 : long ? 4 : 2); round++) {
    await more()
    await crash(node, (round % count) + 1, 'SIGSTOP', crashes)
  }
  progress('processes that hang were replaced')
  return crashes
}

export const workerCrash: Scenario = {
  name: 'worker-crash',
  what: 'three processes behind one port: kill -9 and SIGSTOP of processes, and SIGHUP, under load',
  async run(stage) {
    const { short, long, freshDatabase } = stage
    const settings = { WAYPOST_WORKERS: String(count) }
    // A replaced process waits for idle connections for up to 65 seconds. The readers below keep theirs busy.
    const databaseUrl = await freshDatabase()
    await using site = await openSite({ databaseUrl, destinations: 4, settings, closing: true })
    const node = await site.start('api', 'worker')
    await site.settle()
    await until('all processes', () => logged(node, 'ready') >= count)
    const writer = startWriter(site, { rate: short ? 12 : 30, repeat: true })
    const readers = startReaders(node.base, short ? 25 : 5)
    const crashes = await breakProcesses(stage, site, () => writer.more(short ? 5 : 15))
    // Nothing may break from here on.
    const calmFrom = performance.now()
    const reloads = short ? 1 : long ? 5 : 2
    for (let round = 0; round < reloads; round++) {
      await writer.more(5)
      await reload(node)
    }
    await writer.more(5)
    await readers.stop()
    const verdict = await conclude(stage, { site, writer, faults: crashes.faults })
    const broken = [...verdict.broken]
    const cut = readers.failures.filter(({ at }) => at > calmFrom)
    const unaffected = readers.failures.filter(({ at, node: of }) => at <= calmFrom && !crashes.victims.has(of))
    const unsettled = writer.changes.filter(({ eventId }) => eventId === undefined)
    if (cut.length > 0) broken.push(`requests were cut off by SIGHUP: ${JSON.stringify(cut[0])}`)
    if (unaffected.length > 0) broken.push(`requests of other processes failed: ${JSON.stringify(unaffected[0])}`)
    if (unsettled.length > 0) broken.push(`${unsettled.length} repeated requests were not accepted`)
    node.signal('SIGTERM')
    const { code } = await node.ended
    if (code !== 0) broken.push(`the supervisor ended with ${code}: ${node.output().slice(-1_000)}`)
    return {
      figures: {
        ...{ kills: crashes.faults.length, reloads, ...figuresOf(verdict), answered: readers.answered() },
        ...{ 'cut off by kills': readers.failures.length - cut.length, 'cut off by SIGHUP': cut.length },
        'replaced within, s': seconds(percentile(crashes.times, 0.99)),
      },
      broken,
    }
  },
}
