/** The names of the jobs of approvals. */
import type { ApprovalAddress } from '@waypost/store/tables/agents/approvals'

export const executeJob = 'approvals.execute'
export const expireJob = 'approvals.expire'
export const mailJob = 'approvals.mail'
export type ApprovalJob = typeof executeJob | typeof expireJob | typeof mailJob

export type JobPayload = ApprovalAddress

export const jobIdOf = ({ id }: ApprovalAddress, kind: ApprovalJob): string => `${id} ${kind}`
