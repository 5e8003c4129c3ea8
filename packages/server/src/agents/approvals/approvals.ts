/** The approvals of a node: what handlers, pages and the pipeline use. */
import type { Approval } from '@waypost/contract'
import type { Queries } from '@waypost/store/engine/database'
import type { KeysetPage, KeysetPosition } from '@waypost/store/engine/keyset'
import { type ApprovalAddress, type ApprovalFilter, listApprovals } from '@waypost/store/tables/agents/approvals'
import { hastenOutbox } from '@waypost/store/tables/notifications/outbox'
import { JobDeferred, type JobHandlers } from '../../outbox/runner.ts'
import { carryOut } from './carry-out.ts'
import { decide, expire, noApproval } from './decide.ts'
import { type ApprovalJob, executeJob, expireJob, type JobPayload, type mailJob } from './jobs.ts'
import { type ApprovalRecord, briefOf, findApproval, recordsOf, wholeOf } from './record.ts'
import { prepareApproval, type WantedApproval } from './request-approval.ts'
import type { ApprovalTools, CarryOut, DecisionRequest } from './tools.ts'

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

/** Time between looks at an action that another process carries out, or whose provider does not answer. */
const againMs = 1_000
const pauseAfter = (age: number): number => Math.min(Math.max(age / 4, againMs), 60_000)
/** Must fit into the lease of a job. */
const attemptMs = 45_000

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

  const executeLater = async (payload: string, signal: AbortSignal): Promise<void> => {
    const at: JobPayload = JSON.parse(payload)
    const record = await findApproval(database, seals, at)
    if (record?.status !== 'approved') return
    if (!carrier) throw new JobDeferred(againMs)
    const limit = AbortSignal.any([signal, AbortSignal.timeout(attemptMs)])
    const progress = await carryOut(tools, call, { record, signal: limit })
    if (progress === 'later') throw new JobDeferred(pauseAfter(clock.now() - (record.decidedAt ?? 0)))
    tools.log.info({ approval_id: record.id }, 'an interrupted approved action was completed')
  }

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
