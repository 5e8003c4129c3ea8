/**
 * The life of an approval, as pure functions:
 *
 *   pending ──approve──▶ approved ──carried out──▶ executed, or failed with the reason
 *   pending ──draft────▶ approved ──draft made───▶ drafted, or failed with the reason
 *   pending ──reject───▶ rejected
 *   pending ──its time is over──▶ expired
 *
 * A decision is made once. The same decision again returns the outcome of the first; another one is refused.
 */
import type { ApprovalStatus } from '@waypost/contract'

export type Decision = 'approve' | 'reject' | 'draft'

export interface DecidedState {
  status: ApprovalStatus
  /** The decision that was made; undefined before. */
  decision: Decision | undefined
  /** Milliseconds. */
  expiresAt: number
}

/** The state right after a decision. */
export const statusAfter: Record<Decision, ApprovalStatus> = {
  approve: 'approved',
  draft: 'approved',
  reject: 'rejected',
}

/** The state after an approved action was carried out. */
export const settledStatus = (decision: Decision, isDone: boolean): ApprovalStatus =>
  isDone ? (decision === 'draft' ? 'drafted' : 'executed') : 'failed'

/** `begin`: the decision is made now. `repeat`: it was made before, and its outcome is returned. */
export type Judgement = 'begin' | 'repeat' | 'expired' | 'decided otherwise'

export function judgeDecision(state: DecidedState, decision: Decision, now: number): Judgement {
  if (state.status === 'expired') return 'expired'
  if (state.status === 'pending') return state.expiresAt > now ? 'begin' : 'expired'
  return state.decision === decision ? 'repeat' : 'decided otherwise'
}

/** Whether nothing more happens to an approval. */
export const isSettled = (status: ApprovalStatus): boolean => status !== 'pending' && status !== 'approved'
