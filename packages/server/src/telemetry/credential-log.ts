/**
 * The request log of restricted API keys and agents: collected in memory and written a second later, many requests with
 * one statement, so that a request costs one addition to a list.
 */

import type { CredentialRequest } from '@waypost/contract'
import { type Clock, seconds } from '@waypost/platform/clock'
import type { Log } from '@waypost/platform/log'
import type { Database, Queries } from '@waypost/store/engine/database'
import { touchAgent } from '@waypost/store/tables/agents/agents'
import { touchApiKey } from '@waypost/store/tables/applications/api-keys'
import {
  addCredentialRequests,
  type CredentialRequestRow,
  trimCredentialRequests,
} from '@waypost/store/tables/applications/credential-requests'

/** One answered request of a credential. */
export interface CredentialAnswer {
  applicationId: string
  credentialId: string
  requestId: string
  method: string
  operation: string
  tool: string | undefined
  status: number
  error: string | undefined
  grantId: string | undefined
}

export interface CredentialLog extends AsyncDisposable {
  answered(answer: CredentialAnswer): void
  /** Writes what is in memory. */
  flush(): Promise<void>
}

interface CredentialLogOptions {
  clock: Clock
  log: Log
  delayMs?: number
  /** Requests held in memory; further ones are not recorded. */
  maxHeld?: number
  /** Requests of one credential after which the oldest are removed. */
  trimEvery?: number
}

/** Credentials whose requests are counted. Beyond that, counting starts again. */
const maxCounted = 10_000

export function createCredentialLog(
  queries: Queries,
  { clock, log, delayMs = 1_000, maxHeld = 10_000, trimEvery = 500 }: CredentialLogOptions,
): CredentialLog {
  let held: CredentialRequestRow[] = []
  let omitted = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  /** Requests written since the last trim, by credential. The first write of a process trims. */
  const written = new Map<string, number>()

  const trimAfter = async (rows: readonly CredentialRequestRow[]): Promise<void> => {
    if (written.size > maxCounted) written.clear()
    for (const [credentialId, [first, ...more]] of Map.groupBy(rows, (row) => row.credential_id)) {
      const count = (written.get(credentialId) ?? trimEvery) + more.length + 1
      written.set(credentialId, count > trimEvery ? 0 : count)
      if (!first || count <= trimEvery) continue
      await trimCredentialRequests(queries, { applicationId: first.application_id, credentialId })
    }
  }
  const write = async (): Promise<void> => {
    const rows = held
    held = []
    if (omitted > 0) log.warn({ omitted }, 'requests of restricted credentials were not recorded: too many at once')
    omitted = 0
    if (rows.length === 0) return
    try {
      await addCredentialRequests(queries, rows)
    } catch (error) {
      held = [...rows, ...held].slice(0, maxHeld)
      log.warn({ error }, 'requests of restricted credentials could not be written; it is tried again')
      return
    }
    await trimAfter(rows).catch((error) => log.warn({ error }, 'old requests of credentials could not be removed'))
  }
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(write)
    return writing
  }

  return {
    answered(answer) {
      if (held.length >= maxHeld) {
        omitted++
        return
      }
      held.push({
        credential_id: answer.credentialId,
        at: clock.now(),
        id: answer.requestId,
        application_id: answer.applicationId,
        method: answer.method,
        operation: answer.operation,
        tool: answer.tool ?? null,
        status: answer.status,
        error: answer.error ?? null,
        grant_id: answer.grantId ?? null,
      })
      timer ??= setTimeout(() => void flush(), delayMs).unref()
    },
    flush,
    [Symbol.asyncDispose]: () => flush(),
  }
}

interface UsedCredential {
  applicationId: string
  id: string
}

/** Records the last use of keys and agents in memory and writes it to the store periodically, not with every request. */
export interface KeyUse {
  note(key: UsedCredential, now: number): void
  noteAgent(agent: UsedCredential, now: number): void
}

export interface KeyUseBook extends KeyUse, AsyncDisposable {
  /** Writes the records since the last call. */
  flush(): Promise<void>
}

interface KeyUseNote {
  applicationId: string
  time: number
  touch: typeof touchApiKey
}

export function createKeyUse(database: Database): KeyUseBook {
  let noted = new Map<string, KeyUseNote>()
  const flush = async (): Promise<void> => {
    const batch = noted
    noted = new Map()
    for (const [id, { applicationId, time, touch }] of batch) await touch(database, { applicationId, id }, time)
  }
  return {
    note: ({ applicationId, id }, time) => noted.set(id, { applicationId, time, touch: touchApiKey }),
    noteAgent: ({ applicationId, id }, time) => noted.set(id, { applicationId, time, touch: touchAgent }),
    flush,
    [Symbol.asyncDispose]: () => flush().catch(() => undefined),
  }
}

/** One entry of the request log of a restricted API key or an agent, as the API shows it. */
export const credentialRequestOf = (row: CredentialRequestRow): CredentialRequest => ({
  id: row.id,
  method: row.method,
  operation: row.operation,
  tool: row.tool,
  status: row.status,
  error: row.error,
  grant_id: row.grant_id,
  time: seconds(row.at),
})
