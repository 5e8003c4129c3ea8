/** The names of the jobs of approvals. */
import type { ApprovalAddress } from '../../store/tables/agents/approvals.ts'

export const executeJob = 'approvals.execute'
export const expireJob = 'approvals.expire'
export const mailJob = 'approvals.mail'
export type ApprovalJob = typeof executeJob | typeof expireJob | typeof mailJob

export type JobPayload = ApprovalAddress

export const jobIdOf = ({ id }: ApprovalAddress, kind: ApprovalJob): string => `${id} ${kind}`
