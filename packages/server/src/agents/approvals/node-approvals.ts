/** The approvals of a node: what handlers, pages and the pipeline use. */
import type { Approval } from '@waypost/contract'
import type { Queries } from '@waypost/store/engine/database'
import type { KeysetPage, KeysetPosition } from '@waypost/store/engine/keyset'
import { type ApprovalAddress, type ApprovalFilter, listApprovals } from '@waypost/store/tables/agents/approvals'
import { hastenOutbox } from '@waypost/store/tables/notifications/outbox'
import { finishWork } from '../../outbox/recorded-work.ts'
import type { JobHandlers } from '../../outbox/runner.ts'
import { type ApprovalRecord, briefOf, findApproval, recordsOf, wholeOf } from './approval-record.ts'
import { executeAction } from './approved-actions.ts'
import { decide, expire, noApproval } from './decisions.ts'
import { prepareApproval, type WantedApproval } from './request-approval.ts'
import {
  type ApprovalJob,
  type ApprovalTools,
  type CarryOut,
  type DecisionRequest,
  executeJob,
  expireJob,
  type JobPayload,
  type mailJob,
} from './tools.ts'

export interface Approvals {
  /** Prepares an approval. `keep` writes it, in a transaction. */
  prepare(wanted: WantedApproval): Promise<{ approval: Approval; keep(tx: Queries): Promise<void> }>
  /** Decides about an approval. The same decision again returns the same outcome. */
  decide(request: DecisionRequest & { signal?: AbortSignal | undefined }): Promise<Approval>
  /** An approval as the service works with it. Throws `not_found`. */
  find(at: ApprovalAddress): Promise<ApprovalRecord>
  /** The whole approval. Throws `not_found`. */
  get(at: ApprovalAddress): Promise<Approval>
  /** A page of approvals, newest first, with cut texts. */
  list(
    filter: ApprovalFilter,
    page: { after?: KeysetPosition | undefined; limit: number },
  ): Promise<KeysetPage<Approval>>
  /** The API tells how actions are carried out. It is built after the services. */
  carryOutWith(call: CarryOut): void
  handlers: JobHandlers<Exclude<ApprovalJob, typeof mailJob>>
  /** For the only node of a store, at its start: nobody else carries actions out. */
  abandon(): Promise<void>
}

export function createApprovals(tools: ApprovalTools): Approvals {
  const { database, seals, clock } = tools
  let carrier: CarryOut | undefined
  const call: CarryOut = (carried) => {
    if (!carrier) throw new Error('the API is not built yet')
    return carrier(carried)
  }

  const find = async (at: ApprovalAddress): Promise<ApprovalRecord> => {
    const record = await findApproval(database, seals, at)
    if (!record) throw noApproval()
    return record
  }

  const executeLater = finishWork<JobPayload, ApprovalRecord>(tools, {
    async find(at) {
      const record = await findApproval(database, seals, at)
      return record?.status === 'approved' ? record : undefined
    },
    // The idempotency key of the approval decides which process carries the action out.
    takeOver: async (record) => (carrier ? record : undefined),
    async attempt(record, signal) {
      const progress = await executeAction(tools, call, { record, signal })
      if (progress === 'settled') {
        tools.log.info({ approval_id: record.id }, 'an interrupted approved action was completed')
      }
      return progress
    },
    begunAt: ({ decidedAt }) => decidedAt ?? 0,
    maxPauseMs: 60_000,
  })

  return {
    prepare: (wanted) => prepareApproval(tools, wanted),
    decide: ({ signal = new AbortController().signal, ...request }) => decide(tools, call, { ...request, signal }),
    find,
    get: async (at) => wholeOf(database, seals, await find(at)),
    list: async (filter, page) => {
      const { rows, next } = await listApprovals(database, filter, page)
      return { rows: (await recordsOf(seals, rows)).map(briefOf), next }
    },
    carryOutWith(made) {
      carrier = made
    },
    handlers: {
      [executeJob]: executeLater,
      [expireJob]: (payload) => expire(tools, JSON.parse(payload)),
    },
    abandon: async () => {
      await hastenOutbox(database, executeJob, clock.now())
    },
  }
}
