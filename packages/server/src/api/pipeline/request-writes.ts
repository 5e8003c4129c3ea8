import type { AuditNote } from '../../applications/audit.ts'
import { type Span, within } from '../../lib/span.ts'
import type { Database, Queries, Sharing } from '../../store/engine/database.ts'
import { outcomeOf } from '../../telemetry/outcomes.ts'
import type { WireAnswer } from '../http/answer.ts'
import type { ResponseBuilder } from '../http/response-builder.ts'
import type { Attempt } from './idempotency.ts'

/** Runs work in a transaction of the request; work of the same key may share one with that of other requests. */
export type Write = (work: (tx: Queries) => Promise<unknown>, sharing?: Sharing) => Promise<unknown>

export interface RequestWrites {
  write: Write
  /** The answer, where it stands in the store already, written together with the change. */
  kept(): WireAnswer | undefined
}

/** The transactions of one request: with the change they keep its audit entry, and its answer under an Idempotency-Key. */
export function createRequestWrites(
  database: Database,
  {
    response,
    audit,
    attempt,
    span,
  }: {
    response: ResponseBuilder
    audit: AuditNote | undefined
    attempt: Attempt | undefined
    span: Span | undefined
  },
): RequestWrites {
  let kept: WireAnswer | undefined
  const write: Write = async (work, sharing) => {
    const before = { kept, responseHeaders: { ...response.responseHeaders } }
    const run = async (tx: Queries): Promise<unknown> => {
      // Work that shares a transaction may run twice: what the first run said does not count.
      response.restore(before.responseHeaders)
      const value = await work(tx)
      await audit?.keep(tx, value)
      if (attempt && !before.kept) {
        kept = response.answer(value)
        await attempt.complete(tx, kept)
      }
      return value
    }
    // Audited work keeps a transaction of its own, so that its entry is written once.
    const transaction = (): Promise<unknown> => database.transaction(run, audit ? undefined : sharing)
    const value = await within(span?.child('store transaction', 'internal'), transaction, outcomeOf)
    audit?.kept()
    return value
  }
  return { write, kept: () => kept }
}
