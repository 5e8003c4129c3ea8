/** The collaborators of approvals. */
import type { Clock } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { Log } from '@waypost/platform/log'
import type { Database, Queries } from '@waypost/store/engine/database'
import type { ApprovalAddress } from '@waypost/store/tables/agents/approvals'
import type { Notify } from '../../grants/notify.ts'
import type { ApprovalRecord } from './approval-record.ts'
import type { Decision } from './states.ts'
import type { RequestedAction } from './stored-request.ts'

/** An approved action to carry out. */
export interface CarriedAction {
  record: ApprovalRecord
  action: RequestedAction
  signal: AbortSignal
}

/** The response of a carried out action: `body` is its JSON. */
export interface CarriedAnswer {
  status: number
  body: string
  /** The same request may succeed later, and had no effect that a repetition would double. */
  isTemporary: boolean
  /** The action may have been carried out, although the answer does not say so. */
  isUnknown: boolean
}

/**
 * Carries an action out with an internal call of the API, once: a repeated call for the same approval returns the first
 * response.
 */
export type CarryOut = (carried: CarriedAction) => Promise<CarriedAnswer>

export interface ApprovalTools {
  database: Database
  clock: Clock
  log: Log
  seals: DataSeals
  notify: Notify
  /** Queues the mail to the owner of the account, in the transaction of a new approval. */
  tellOwner?(tx: Queries, record: ApprovalRecord): Promise<void>
  /** Called with the outcome of every decision. */
  settled?(outcome: ApprovalRecord['status']): void
  /** For tests that end the process between two steps. */
  failpoint?(step: ApprovalStep): Promise<void>
}

export type ApprovalStep = 'decided' | 'carried out' | 'settled'

export interface DecisionRequest {
  applicationId: string
  id: string
  decision: Decision
  /** Who decides, in words: an address, or the name of a key. */
  by: string
  reason?: string | undefined
}

export const executeJob = 'approvals.execute'
export const expireJob = 'approvals.expire'
export const mailJob = 'approvals.mail'
export type ApprovalJob = typeof executeJob | typeof expireJob | typeof mailJob

export type JobPayload = ApprovalAddress

export const jobIdOf = ({ id }: ApprovalAddress, kind: ApprovalJob): string => `${id} ${kind}`
