/**
 * Several processes of the service behind one port (WAYPOST_WORKERS). The supervisor answers no request and opens no
 * store. It accepts connections and gives them to the processes (`dispatch.ts`), passes on their logs, replaces a
 * process that crashed or hangs, and replaces all of them in turn at SIGHUP. Every process is a node of its own.
 *
 * A place (1 to `count`) has one process at a time; while it is replaced, the former one drains next to the new one.
 */
import { createServer } from 'node:net'
import { sleep } from '@waypost/platform/clock'
import { openPort } from '@waypost/platform/listening'
import type { Log } from '@waypost/platform/log'
import type { Role } from '@waypost/store/tables/applications/nodes'
import { createDispatch } from './dispatch.ts'
import type { Report } from './messages.ts'
import { Crashes, watchHeartbeats } from './process-failures.ts'
import { createGathering } from './process-metrics.ts'
import { rolesOf } from './role-split.ts'
import { type ProcessEnd, type ProcessStart, type SupervisedProcess, startProcess } from './supervised-process.ts'

export interface SupervisorOptions {
  count: number
  roles: readonly Role[]
  port: number
  host: string
  log: Log
  write(lines: string): void
  writeError(lines: string): void
  /** How long stopping processes still take connections. */
  announceMs: number
  /** How long a process may take to stop, from the beginning of the announcement. */
  stopMs: number
  /** For tests. */
  start?(start: ProcessStart): SupervisedProcess
}

/** The first process could not start. It has said why. */
export class FirstProcessEnded extends Error {
  readonly end: ProcessEnd

  constructor(end: ProcessEnd) {
    super('the first process did not start')
    this.end = end
  }
}

export interface Supervisor {
  readonly port: number
  /** Replaces all processes in turn. Calls during a replacement lead to one more afterwards. */
  reload(): Promise<void>
  /** Stops all processes. They take new connections as long as they announce it. */
  stop(): Promise<void>
}

interface Place {
  number: number
  current: SupervisedProcess | undefined
  /** The process that replaces it, until it is ready. */
  next: SupervisedProcess | undefined
  crashes: Crashes
}

export async function startSupervisor(options: SupervisorOptions): Promise<Supervisor> {
  const { count, log } = options
  const places: Place[] = Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    current: undefined,
    next: undefined,
    crashes: new Crashes(),
  }))
  const fleet = createFleet(options, places)
  const server = createServer({ pauseOnConnect: true, noDelay: true }, fleet.dispatch.give)
  const [first, ...others] = places
  try {
    // The first one alone: it migrates the store, and prints the first password.
    if (first) await fleet.startFirst(first)
    fleet.open(await openPort(server, options))
    server.on('error', (error) => log.error({ error }, 'the port failed'))
  } catch (error) {
    await fleet.stop()
    throw error
  }
  await Promise.all(others.map((place) => fleet.start(place).ready))
  const { port } = fleet
  log.info({ port, host: options.host, processes: fleet.readyCount() }, 'listening')
  return {
    port,
    reload: reloading(() => fleet.replaceAll()),
    async stop() {
      const announced = new AbortController()
      const closing = sleep(options.announceMs, announced.signal).then(() => server.close())
      await fleet.stop()
      announced.abort()
      await closing
    },
  }
}

/** Runs `reload` once at a time. Calls meanwhile are merged into one more run. */
export function reloading(reload: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let isRequestedAgain = false
  const run = async (): Promise<void> => {
    do {
      isRequestedAgain = false
      await reload()
    } while (isRequestedAgain)
  }
  return () => {
    isRequestedAgain = running !== undefined
    running ??= run().finally(() => {
      running = undefined
    })
    return running
  }
}

/** The processes in all places. */
function createFleet(options: SupervisorOptions, places: readonly Place[]) {
  const { count, log, stopMs, start: begin = startProcess } = options
  const running = new Set<SupervisedProcess>()
  /** Nodes of dead processes. The next process that is ready releases their work. */
  let dead: string[] = []
  let port = 0
  const over = new AbortController()
  const current = (): SupervisedProcess[] => places.flatMap((place) => place.current ?? [])
  const ready = (): SupervisedProcess[] => current().filter(({ state }) => state === 'ready')
  const dispatch = createDispatch(ready)
  const gathering = createGathering(() => [...running])
  const heartbeats = watchHeartbeats(
    () => [...running],
    (silent, silentMs) => {
      const facts = { place: silent.number, pid: silent.pid, seconds: Math.round(silentMs / 1000) }
      log.error(facts, 'a process does not answer; it is killed and replaced')
      silent.isHung = true
      silent.kill()
    },
  )

  const releaseDead = (): void => {
    const [living] = ready()
    if (!living || dead.length === 0) return
    living.send({ type: 'release', nodes: dead })
    dead = []
  }
  const heard = (from: SupervisedProcess, report: Report): void => {
    if (report.type === 'taken') dispatch.taken(from)
    else if (report.type === 'closed') from.open -= report.count
    else if (report.type === 'ask-figures') gathering.gather(from, report.id)
    else if (report.type === 'figures') gathering.answered(from, report.id, report.families)
    else if (report.type === 'ending') from.state = 'draining'
    else if (report.type === 'ready' && port !== 0) from.send({ type: 'open', port })
  }
  const launch = ({ number }: Place): SupervisedProcess => {
    const started = begin({
      number,
      count,
      heard,
      write: options.write,
      writeError: options.writeError,
      roles: rolesOf(options.roles, { number, count }),
      isFirst: port === 0,
    })
    running.add(started)
    void started.ended.then((end) => onEnded(started, end))
    return started
  }
  /** A new process in a place, which gets connections as soon as it is ready. */
  const start = (place: Place): SupervisedProcess => {
    const started = launch(place)
    place.current = started
    void started.ready.then(onReady)
    return started
  }
  const onReady = (isReady: boolean): void => {
    if (!isReady) return
    dispatch.arrived()
    releaseDead()
  }
  const onEnded = (ended: SupervisedProcess, { code, signal }: ProcessEnd): void => {
    running.delete(ended)
    const place = places.find((each) => each.current === ended)
    if (place) place.current = undefined
    dispatch.lost(ended)
    const isClean = code === 0
    if (!isClean && ended.node !== undefined) dead.push(ended.node)
    releaseDead()
    if (over.signal.aborted || !place) return
    void replace(place, ended, { code, signal })
  }
  const replace = async (place: Place, ended: SupervisedProcess, end: ProcessEnd): Promise<void> => {
    await sleep(delayOf({ place, ended, end, log, gathering }), over.signal)
    if (!over.signal.aborted && !place.current && !place.next) start(place)
  }

  return {
    dispatch,
    get port(): number {
      return port
    },
    start,
    async startFirst(place: Place): Promise<void> {
      const started = launch(place)
      if (!(await started.ready)) throw new FirstProcessEnded(await started.ended)
      place.current = started
    },
    /** The port is open. */
    open(opened: number): void {
      port = opened
      for (const each of ready()) each.send({ type: 'open', port })
    },
    readyCount: () => ready().length,
    replaceAll: () => replaceInTurn({ places, log, launch, start, onReady, isOver: over.signal, gathering }),
    async stop() {
      over.abort()
      heartbeats[Symbol.dispose]()
      await stopAll(running, stopMs)
      dispatch[Symbol.dispose]()
    },
  }
}

interface Ended {
  place: Place
  ended: SupervisedProcess
  end: ProcessEnd
  log: Log
  gathering: ReturnType<typeof createGathering>
}

/** Logs the end of a process, and returns how long its replacement waits. */
function delayOf({ place, ended, end, log, gathering }: Ended): number {
  const facts = { place: ended.number, pid: ended.pid, ...end }
  if (end.code === 0) {
    log.warn(facts, 'a process ended; it is replaced')
    return 0
  }
  const { crashes, delayMs, isLoud } = place.crashes.record(performance.now() - ended.startedAt)
  gathering.replaced(ended.isHung ? 'hang' : 'crash')
  const again = 'a process crashes again and again: look at the lines before; it is replaced after a delay'
  const what = isLoud ? again : 'a process crashed; it is replaced'
  log.error({ ...facts, crashes, delay_ms: delayMs }, what)
  return delayMs
}

/** Stops processes, and kills those that take too long. */
async function stopAll(running: ReadonlySet<SupervisedProcess>, stopMs: number): Promise<void> {
  for (const each of running) each.send({ type: 'stop' })
  const limit = new AbortController()
  const late = sleep(stopMs, limit.signal).then(() => {
    for (const each of running) each.kill()
  })
  await Promise.all(Array.from(running, (each) => each.ended))
  limit.abort()
  await late
}

interface Replacing {
  places: readonly Place[]
  log: Log
  launch(place: Place): SupervisedProcess
  start(place: Place): SupervisedProcess
  onReady(isReady: boolean): void
  isOver: AbortSignal
  gathering: ReturnType<typeof createGathering>
}

/**
 * Replaces one process after the other: the new one is ready before the former one stops to take connections. If a
 * new process does not start, for example because new code on the disk does not work, the others stay.
 */
async function replaceInTurn({ places, log, launch, start, onReady, isOver, gathering }: Replacing): Promise<void> {
  log.info({ processes: places.length }, 'the processes are replaced one after the other')
  for (const place of places) {
    if (isOver.aborted) return
    const next = launch(place)
    place.next = next
    const isReady = await next.ready
    place.next = undefined
    if (!isReady) {
      if (isOver.aborted) return
      const { code, signal } = await next.ended
      const what = 'a new process did not start; the processes that run stay, and the reload is given up'
      log.error({ place: place.number, code, signal }, what)
      // The former one may have crashed meanwhile.
      if (!place.current) start(place)
      return
    }
    const former = place.current
    place.current = next
    onReady(true)
    if (!former) continue
    former.state = 'draining'
    former.send({ type: 'hand-over' })
    gathering.replaced('reload')
    await Promise.race([former.ended, aborted(isOver)])
  }
  if (!isOver.aborted) log.info({ processes: places.length }, 'all processes were replaced')
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
