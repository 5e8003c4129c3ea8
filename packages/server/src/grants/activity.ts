/**
 * Activity of grants, collected in memory and written every few seconds: when each was last used, errors of its
 * provider, and whether its changes can be fetched. No request waits for these writes.
 */
import { type ErrorCode, errors } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Clock } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { newOrderedId } from '@waypost/platform/ids'
import type { Log } from '@waypost/platform/log'
import type { Queries } from '@waypost/store/engine/database'
import {
  addGrantErrors,
  forgetWatchFailures,
  type GrantError,
  saveGrantUses,
  saveWatchFailures,
  trimGrantErrors,
  type WatchFailure,
} from '@waypost/store/tables/grants/grant-activity'
import { wordsOf } from './refused-credentials.ts'

export interface ActivityBook extends AsyncDisposable {
  /** Records that a grant was used. */
  used(grantId: string): void
  /** Records an error of a grant. Errors caused by the client are stored separately if they come from a request. */
  failed(grantId: string, what: Failure): void
  /** Records that the changes of a grant cannot be fetched for now. */
  resting(failure: WatchFailure): void
  /** Records that its changes are fetched again. */
  watching(grantId: string): void
  flush(): Promise<void>
}

export interface Failure {
  operation: string
  error: unknown
  requestId?: string
  /** The application and provider of the grant, if available. */
  of?: { applicationId: string; provider: string }
  /** The caller is an administrator, whose bad requests are not part of the grant's history. */
  isAdministrator?: boolean
}

/** Use of a grant is recorded at most this often. */
const againMs = 30_000
/** Maximum number of errors waiting to be written. During an outage the oldest are dropped. */
const maxErrors = 1_000
/** Maximum number of client errors per grant waiting to be written: as many as are stored. */
const maxRefusals = 20

/** Errors worth recording for a grant: caused by its account, its provider or this service. */
const reported: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'grant_invalid',
  'insufficient_scopes',
  'provider_rate_limited',
  'provider_refused',
  'provider_unavailable',
  'provider_unreachable',
  'send_refused',
  'send_failed',
  'outcome_unknown',
  'deadline_exceeded',
  'internal_error',
])
/** Those that the provider did not cause. */
const ours: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['internal_error', 'insufficient_scopes'])

interface BookOptions {
  queries: Queries
  seals: DataSeals
  clock: Clock
  log: Log
  /** Called for every error of a provider. */
  providerFailed(of: Failure['of']): void
}

export function createActivityBook({ queries, seals, clock, log, providerFailed }: BookOptions): ActivityBook {
  const recent = new Map<string, number>()
  let uses = new Map<string, number>()
  let failures: GrantError[] = []
  /** Client errors by grant. */
  let refusals = new Map<string, GrantError[]>()
  let resting = new Map<string, WatchFailure>()
  let watching = new Set<string>()

  /** Stores the latest client errors of a grant, for at most `maxErrors` grants. */
  const refuse = (noted: GrantError): void => {
    const before = refusals.get(noted.grantId)
    if (!before && refusals.size >= maxErrors / maxRefusals) return
    refusals.set(noted.grantId, [...(before ?? []).slice(1 - maxRefusals), noted])
  }

  /** Writes one kind of record. If that fails, it is retried with the next ones. */
  const write = async (what: string, work: () => Promise<void>, putBack: () => void): Promise<void> => {
    try {
      await work()
    } catch (error) {
      putBack()
      log.warn({ error, what }, 'activity of grants could not be written; it will be retried')
    }
  }

  async function flush(): Promise<void> {
    const now = clock.now()
    for (const [grantId, at] of recent) if (now - at >= againMs) recent.delete(grantId)
    const batch = { uses, failures: [...failures, ...[...refusals.values()].flat()], resting, watching }
    uses = new Map()
    failures = []
    refusals = new Map()
    resting = new Map()
    watching = new Set()
    await write(
      'uses',
      () =>
        saveGrantUses(
          queries,
          Array.from(batch.uses, ([grantId, lastUsedAt]) => ({ grantId, lastUsedAt })),
        ),
      () => {
        uses = new Map([...batch.uses, ...uses])
      },
    )
    await write(
      'errors',
      async () => {
        await addGrantErrors(queries, batch.failures, seals)
        await trimGrantErrors(queries, [...new Set(batch.failures.map((each) => each.grantId))])
      },
      () => {
        failures = [...batch.failures, ...failures].slice(-maxErrors)
      },
    )
    await write(
      'watches',
      async () => {
        await saveWatchFailures(queries, [...batch.resting.values()])
        await forgetWatchFailures(queries, [...batch.watching])
      },
      () => {
        for (const [grantId, failure] of batch.resting) {
          if (!watching.has(grantId) && !resting.has(grantId)) resting.set(grantId, failure)
        }
        for (const grantId of batch.watching) if (!resting.has(grantId)) watching.add(grantId)
      },
    )
  }

  return {
    used(grantId) {
      const now = clock.now()
      const before = recent.get(grantId)
      if (before !== undefined && now - before < againMs) return
      recent.set(grantId, now)
      uses.set(grantId, now)
    },
    failed(grantId, failure) {
      const { operation, error, requestId, of } = failure
      const code = error instanceof ApiError ? error.code : 'provider_unavailable'
      const isRefusal = !reported.has(code)
      if (isRefusal && (requestId === undefined || failure.isAdministrator)) return
      if (!isRefusal && !ours.has(code)) providerFailed(of)
      const noted: GrantError = {
        id: newOrderedId(),
        grantId,
        at: clock.now(),
        operation,
        type: errors[code].type,
        message: wordsOf(error),
        requestId: requestId ?? null,
        isRefusal,
      }
      if (isRefusal) refuse(noted)
      else {
        if (failures.length >= maxErrors) failures.shift()
        failures.push(noted)
      }
    },
    resting(failure) {
      watching.delete(failure.grantId)
      resting.set(failure.grantId, failure)
    },
    watching(grantId) {
      resting.delete(grantId)
      watching.add(grantId)
    },
    flush,
    [Symbol.asyncDispose]: flush,
  }
}
