/**
 * What happens to grants, noted in memory and written every few seconds: when each was last used, what its provider
 * refused, and whether its changes can be fetched. A request pays for none of it.
 */
import { type ErrorCode, errors } from '@waypost/contract'
import { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { DataSeals } from '../lib/data-seals.ts'
import { newOrderedId } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import type { Queries } from '../store/database.ts'
import {
  addGrantErrors,
  forgetWatchFailures,
  type GrantError,
  saveGrantUses,
  saveWatchFailures,
  trimGrantErrors,
  type WatchFailure,
} from '../store/grant-activity.ts'

export interface ActivityBook extends AsyncDisposable {
  /** A grant is used. */
  used(grantId: string): void
  /** Something went wrong with a grant; what is the client's own fault is passed over. */
  failed(grantId: string, what: { operation: string; error: unknown; requestId?: string }): void
  /** The changes of a grant cannot be fetched for now. */
  resting(failure: WatchFailure): void
  /** They are fetched. */
  watching(grantId: string): void
  flush(): Promise<void>
}

/** A grant in use is noted this often. */
const againMs = 30_000
/** The most errors that wait to be written; in an outage the oldest go. */
const maxErrors = 1_000
const keptMessage = 500

/** What is worth telling of a grant: its account, its provider or the service itself is at fault. */
const told: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
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
/** Those of them that are not the provider's doing. */
const ours: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['internal_error', 'insufficient_scopes'])

interface BookOptions {
  queries: Queries
  seals: DataSeals
  clock: Clock
  log: Log
  /** Hears of everything that a provider refused or did not answer. */
  providerFailed(): void
}

export function createActivityBook({ queries, seals, clock, log, providerFailed }: BookOptions): ActivityBook {
  const recent = new Map<string, number>()
  let uses = new Map<string, number>()
  let failures: GrantError[] = []
  let resting = new Map<string, WatchFailure>()
  let watching = new Set<string>()

  /** Writes one kind of note; what cannot be written is tried again with the next ones. */
  const write = async (what: string, work: () => Promise<void>, putBack: () => void): Promise<void> => {
    try {
      await work()
    } catch (error) {
      putBack()
      log.warn({ error, what }, 'notes about grants could not be written; it is tried again')
    }
  }

  async function flush(): Promise<void> {
    const now = clock.now()
    for (const [grantId, at] of recent) if (now - at >= againMs) recent.delete(grantId)
    const batch = { uses, failures, resting, watching }
    uses = new Map()
    failures = []
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
    failed(grantId, { operation, error, requestId }) {
      const code = error instanceof ApiError ? error.code : 'provider_unavailable'
      if (!told.has(code)) return
      if (!ours.has(code)) providerFailed()
      if (failures.length >= maxErrors) failures.shift()
      failures.push({
        id: newOrderedId(),
        grantId,
        at: clock.now(),
        operation,
        type: errors[code].type,
        message: messageOf(error, code),
        requestId: requestId ?? null,
      })
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

/** In words. The message of an error of ours is for clients; of others only what the catalogue says is. */
function messageOf(error: unknown, code: ErrorCode): string {
  if (!(error instanceof ApiError)) return 'The connection to the provider was lost.'
  const said = error.details.providerError
  const words = [said?.error_description, said?.message, said?.error].find((text) => typeof text === 'string')
  const message = error.message || errors[code].title
  const whole = words && !message.includes(words) ? `${message} (the provider said: ${words})` : message
  return whole.slice(0, keptMessage).toWellFormed().replaceAll('\0', '')
}
