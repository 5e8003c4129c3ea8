/**
 * What `waypost doctor` reports about PostgreSQL: which server is the primary, what its standbys have, and whether it has
 * enough connections for the processes of this machine.
 */

import type { Database } from '@waypost/store/engine/database'
import { askServer, examineServers, type Server, Servers } from '@waypost/store/engine/postgresql-servers'
import { usualConnections } from '@waypost/store/engine/postgresql-session'
import { type Examined, whyNot } from '@waypost/store/engine/server-choice'
import { connectionLimit } from '@waypost/store/engine/server-settings'
import type { Config } from '../../config.ts'
import { processCount } from '../../supervisor/role-split.ts'
import { type Finding, ok, problem, warning } from './findings.ts'

const answerMs = 5_000
const guide = 'docs/high-availability.md'

const replicationText = `select current_setting('synchronous_standby_names') as names,
  current_setting('synchronous_commit') as commits, r.application_name as name, host(r.client_addr) as address,
  r.state, r.sync_state from (select 1) one left join pg_stat_replication r on true order by 3, 4`

interface ReplicationRow {
  names: string
  commits: string
  /** The rest is null without a standby. State and place are null for a role without pg_monitor. */
  name: string | null
  address: string | null
  state: string | null
  sync_state: string | null
}

/** The state of every host of the address, and of replication. Nothing is changed. */
export async function serverFindings(databaseUrl: string): Promise<Finding[]> {
  const { all } = new Servers(databaseUrl)
  const examined = await examineServers(all, answerMs)
  const primaries = examined.filter(({ state }) => state && !state.isStandby)
  const findings = all.length > 1 ? examined.map(hostFinding) : []
  if (primaries.length > 1) {
    const names = primaries.map(({ server, state }) => `${server.name} (timeline ${state?.timeline ?? 'unknown'})`)
    findings.push(
      problem(
        'servers',
        `several servers believe to be the primary: ${names.join(', ')}`,
        `stop the one with the lower timeline, and make it a standby of the other: ${guide}`,
      ),
    )
  }
  const [primary] = primaries.toSorted((a, b) => (b.state?.timeline ?? 0) - (a.state?.timeline ?? 0))
  if (primary) findings.push(...(await replicationFindings(primary.server, all.length > 1)))
  return findings
}

function hostFinding(each: Examined<Server>): Finding {
  const { server, state } = each
  if (!state) {
    const why = whyNot(each, { attributes: 'any', newest: 0 })
    return warning('servers', `${server.name}: ${why}`, `start it, or remove it from DATABASE_URL: ${guide}`)
  }
  if (state.isStandby) return ok('servers', `${server.name} is a standby`)
  if (state.isReadOnly) {
    return problem(
      'servers',
      `${server.name} is a primary that is read-only`,
      'turn default_transaction_read_only off, and reload',
    )
  }
  return ok('servers', `${server.name} is the primary${state.timeline ? `, on timeline ${state.timeline}` : ''}`)
}

async function replicationFindings(server: Server, isPair: boolean): Promise<Finding[]> {
  const rows = await askServer(
    server,
    answerMs,
    async (client) => (await client.query<ReplicationRow>(replicationText)).rows,
  ).catch(() => [])
  const [first] = rows
  const standbys = rows.filter(({ name }) => name !== null)
  if (!first || (!isPair && standbys.length === 0 && first.names === '')) return []
  return [...standbys.map(standbyFinding), synchronyFinding(first, standbys)]
}

function standbyFinding({ name, address, state, sync_state: how }: ReplicationRow): Finding {
  const what = `the standby ${name}${address === null ? '' : ` at ${address}`}`
  if (state === null) {
    return warning('standbys', `${what} exists; this role may not see its state`, 'grant pg_monitor to the role')
  }
  return state === 'streaming'
    ? ok('standbys', `${what} streams, ${how}`)
    : warning('standbys', `${what} is not up to date yet: ${state}`, 'wait, or check its log')
}

function synchronyFinding({ names, commits }: ReplicationRow, standbys: readonly ReplicationRow[]): Finding {
  const isSynchronous = standbys.some(({ sync_state: how }) => how === 'sync' || how === 'quorum')
  const isHidden = standbys.some(({ state }) => state === null)
  if (names === '') {
    return warning(
      'standbys',
      'no standby is synchronous: a failover can lose acknowledged changes, and send messages twice',
      `set synchronous_standby_names, with synchronous_commit = on: ${guide}`,
    )
  }
  if (commits === 'local') {
    return problem(
      'standbys',
      'synchronous_commit=local: commits do not wait for the synchronous standby',
      'set synchronous_commit = on, and reload',
    )
  }
  if (isSynchronous || isHidden) return ok('standbys', `commits wait for the standby (synchronous_commit=${commits})`)
  return problem(
    'standbys',
    `commits wait for a standby that is not there: synchronous_standby_names is '${names}'`,
    `start the standby, or set synchronous_standby_names to '' for the time being: ${guide}`,
  )
}

/** The processes of this machine, and their connections. */
export async function processFindings(database: Database, { workers, postgresql }: Config): Promise<Finding[]> {
  if (database.engine === 'sqlite') {
    return workers === 'auto'
      ? [
          warning(
            'processes',
            'WAYPOST_WORKERS=auto has no effect: one process uses a SQLite store',
            'unset it, or set DATABASE_URL to a PostgreSQL database',
          ),
        ]
      : []
  }
  const count = processCount({ workers, isShared: true })
  const each = postgresql.connections ?? usualConnections
  const total = count * each
  const what = `${count} ${count === 1 ? 'process' : 'processes'} with up to ${each} connections to PostgreSQL each: ${total}`
  const limit = await connectionLimit(database)
  if (limit === undefined) return [ok('processes', what)]
  return total <= limit
    ? [ok('processes', `${what} of ${limit}, which all machines share`)]
    : [
        warning(
          'processes',
          `${what}, but PostgreSQL accepts ${limit}`,
          'raise max_connections in postgresql.conf, lower WAYPOST_DATABASE_CONNECTIONS or WAYPOST_WORKERS, or use PgBouncer',
        ),
      ]
}
