/**
 * Finds connections whose server does not answer: it is frozen, or the network drops every packet. TCP would notice after
 * many minutes, and a frozen server not at all.
 *
 * Each second, connections that wait for an answer are compared with the second before. After `silentMs` without any
 * answer, the server is checked with a new connection. If that fails too, all connections to the server are closed.
 * Otherwise the server is asked whether it works on the statement. If not, the connection alone is broken, and closed.
 */
import {
  askServer,
  Retired,
  type Server,
  type ServerConnection,
  type ServerNews,
  type Servers,
} from './postgresql-servers.ts'
import { reportedProcess } from './postgresql-session.ts'

const tickMs = 1_000
const silentMs = 3_000
const askMs = 5_000

export interface SilenceWatch extends Disposable {
  /** Why statements wait, if the server works on them. */
  trouble(): string | undefined
}

const standbyTrouble = 'PostgreSQL waits for its synchronous standby'

interface Backend {
  pid: number
  state: string | null
  wait_event: string | null
}

const backendsOf = (server: Server, pids: readonly number[]): Promise<Backend[]> =>
  askServer(server, askMs, async (client) => {
    const text = `select pid, state, wait_event from pg_stat_activity where pid in (${pids.join(', ')})`
    return (await client.query<Backend>(text)).rows
  })

export function watchSilence(servers: Servers, onNews: ServerNews = () => undefined): SilenceWatch {
  const progress = new WeakMap<ServerConnection, { answered: number; since: number }>()
  let isChecking = false
  let trouble: string | undefined

  /** How long a connection has waited without any answer. */
  const silenceOf = (client: ServerConnection, now: number): number => {
    const before = progress.get(client)
    if (before && client.waiting > 0 && before.answered === client.answered) return now - before.since
    progress.set(client, { answered: client.answered, since: now })
    return 0
  }

  /** Closes connections whose statements the server does not work on. */
  async function examine(server: Server, silent: readonly ServerConnection[]): Promise<void> {
    const own = silent.filter(({ isOwn }) => isOwn).map((client) => ({ client, answered: client.answered }))
    if (own.length === 0) return
    const backends = await backendsOf(
      server,
      own.map(({ client }) => reportedProcess(client)),
    )
    const byPid = new Map(backends.map((backend) => [backend.pid, backend]))
    for (const { client, answered } of own) {
      const backend = byPid.get(reportedProcess(client))
      const hasMoved = client.waiting === 0 || client.answered !== answered
      if (backend?.state === 'active' || hasMoved) continue
      client.cut(new Retired(`the connection to PostgreSQL at ${server.name} is broken`))
    }
    tell(server, backends.some(({ wait_event: event }) => event === 'SyncRep') ? standbyTrouble : undefined)
  }

  function tell(server: Server, found: string | undefined): void {
    if (found !== undefined && found !== trouble) onNews({ server: server.name, reason: found }, 'commits wait')
    trouble = found
  }

  async function check(silent: readonly ServerConnection[]): Promise<void> {
    for (const [server, clients] of Map.groupBy(silent, (client) => client.server)) {
      await servers.check(server, 'silent')
      if (servers.current() === server) await examine(server, clients).catch(() => undefined)
    }
    // A statement that takes long is checked again after the same time.
    for (const client of silent) progress.set(client, { answered: client.answered, since: performance.now() })
  }

  const tick = (): void => {
    void servers.poll()
    const now = performance.now()
    const waits = servers.connections().map((client) => ({ client, silence: silenceOf(client, now) }))
    const silent = waits.filter(({ silence }) => silence >= silentMs).map(({ client }) => client)
    if (silent.length === 0) trouble = undefined
    else if (!isChecking) {
      isChecking = true
      void check(silent).finally(() => {
        isChecking = false
      })
    }
  }
  const timer = setInterval(tick, tickMs).unref()
  return {
    trouble: () => trouble,
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
