/** Decisions about approvals. An approval is decided once; whoever repeats the decision gets the outcome of the first. */
import type { Approval } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { type ApprovalAddress, decideApproval, expireApproval } from '@waypost/store/tables/agents/approvals'
import { pollWork, queueWork } from '../../outbox/recorded-work.ts'
import {
  type ApprovalOutcome,
  type ApprovalRecord,
  findApproval,
  notifyOfApproval,
  sealOutcome,
  wholeOf,
} from './approval-record.ts'
import { clearAway, executeAction } from './approved-actions.ts'
import { isSettled, judgeDecision, statusAfter } from './states.ts'
import { type ApprovalTools, type CarryOut, type DecisionRequest, executeJob, jobIdOf } from './tools.ts'

/** How long a repeated decision waits for the outcome of the first. */
const waitMs = 30_000

export const noApproval = (): ApiError => new ApiError('not_found', 'no such approval: check approval_id')

const refusals = {
  expired: 'the approval has expired: the action must be requested again',
  'decided otherwise': 'somebody else has decided about this approval already',
} as const

/** Writes a decision. Undefined if another one was faster. */
async function begin(
  tools: ApprovalTools,
  record: ApprovalRecord,
  { decision, by, reason }: DecisionRequest,
): Promise<ApprovalRecord | undefined> {
  const { database, seals, clock } = tools
  const { applicationId, id } = record
  const now = clock.now()
  const outcome: ApprovalOutcome = { decision, by, reason: reason ?? null, draftId: null, result: null }
  const status = statusAfter[decision]
  const next: ApprovalRecord = { ...record, status, outcome, decidedAt: now }
  const isMine = await database.transaction(async (tx) => {
    const to = { status, sealedOutcome: sealOutcome(seals, record, outcome), now }
    if (!(await decideApproval(tx, record, to))) return false
    if (isSettled(status)) {
      await clearAway(tx, record)
      await notifyOfApproval(tx, tools, next)
      return true
    }
    const job = { id: jobIdOf(record, executeJob), applicationId, grantId: record.grantId ?? '', kind: executeJob }
    await queueWork(tx, { ...job, payload: { applicationId, id } }, now)
    return true
  })
  if (!isMine) return undefined
  if (isSettled(status)) tools.settled?.(status)
  await tools.failpoint?.('decided')
  return next
}

/** The approval once its action was carried out, or as it is if that takes long. */
async function settledOne(tools: ApprovalTools, at: ApprovalAddress, signal: AbortSignal): Promise<ApprovalRecord> {
  const read = () => findApproval(tools.database, tools.seals, at)
  const record = await pollWork(read, (found) => found !== undefined && !isSettled(found.status), { waitMs, signal })
  if (!record) throw noApproval()
  return record
}

/** Decides about an approval. For approved actions, returns once they were carried out. */
export async function decide(
  tools: ApprovalTools,
  call: CarryOut,
  request: DecisionRequest & { signal: AbortSignal },
): Promise<Approval> {
  const { applicationId, id, decision, signal } = request
  const at = { applicationId, id }
  const record = await findApproval(tools.database, tools.seals, at)
  if (!record) throw noApproval()
  const state = { status: record.status, decision: record.outcome?.decision, expiresAt: record.expiresAt }
  const judgement = judgeDecision(state, decision, tools.clock.now())
  if (judgement === 'expired' || judgement === 'decided otherwise') throw new ApiError('conflict', refusals[judgement])
  if (decision === 'draft' && !record.document.canDraft) {
    throw new ApiError('conflict', 'only a message can become a draft: approve or reject this action')
  }
  const begun = judgement === 'begin' ? await begin(tools, record, request) : undefined
  // Another request has decided in between: it is judged like a repetition.
  if (judgement === 'begin' && !begun) return decide(tools, call, request)
  const progress =
    begun && !isSettled(begun.status) ? await executeAction(tools, call, { record: begun, signal }) : 'settled'
  const settled =
    progress === 'later' ? await findApproval(tools.database, tools.seals, at) : await settledOne(tools, at, signal)
  if (!settled) throw noApproval()
  return wholeOf(tools.database, tools.seals, settled)
}

/** Ends an approval whose time is over. */
export async function expire(tools: ApprovalTools, at: ApprovalAddress): Promise<void> {
  const record = await findApproval(tools.database, tools.seals, at)
  if (!record) return
  const isMine = await tools.database.transaction(async (tx) => {
    if (!(await expireApproval(tx, at, tools.clock.now()))) return false
    await clearAway(tx, record)
    await notifyOfApproval(tx, tools, { ...record, status: 'expired' })
    return true
  })
  if (isMine) tools.settled?.('expired')
}
