/** Notifications about approvals, written in the transaction of the change. */
import type { ApprovalStatus, Trigger } from '@waypost/contract'
import type { Queries } from '@waypost/store/engine/database'
import { getGrant } from '@waypost/store/tables/grants/grants'
import { type ApprovalRecord, briefOf } from './approval-record.ts'
import type { ApprovalTools } from './tools.ts'

/** A message that became a draft was not sent, so it counts as rejected; `status` says what it became. */
const triggers: Partial<Record<ApprovalStatus, Trigger & `approval.${string}`>> = {
  pending: 'approval.requested',
  executed: 'approval.approved',
  failed: 'approval.failed',
  rejected: 'approval.rejected',
  drafted: 'approval.rejected',
  expired: 'approval.expired',
}

/** Notifications belong to a grant, so actions of the application cause none. */
export async function notifyOfApproval(
  tx: Queries,
  { notify }: Pick<ApprovalTools, 'notify'>,
  record: ApprovalRecord,
): Promise<void> {
  const trigger = triggers[record.status]
  if (trigger === undefined || record.grantId === null) return
  const { applicationId, grantId } = record
  const provider = (await getGrant(tx, applicationId, grantId))?.grant.provider ?? ''
  await notify(tx, { applicationId, grantId, provider, trigger, object: briefOf(record) })
}
