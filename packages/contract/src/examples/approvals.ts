import type { approvals } from '../agents/approvals.ts'
import { sampleExecutedApproval, samplePendingApproval, sampleRejectedApproval } from '../notification-samples.ts'
import type { ExamplesOf } from './example.ts'
import { grantId } from './shared.ts'

const params = { approval_id: samplePendingApproval.id }
const { decided_by, decided_at, reason } = sampleRejectedApproval
const sent = { grant_id: grantId, data: { id: '18c2f4e0a7b3d951', subject: 'Your order 4711' } }

export const approvalExamples: ExamplesOf<typeof approvals> = {
  list: { query: { status: 'pending' }, answer: [samplePendingApproval] },
  get: { params, answer: samplePendingApproval },
  approve: { params, answer: { ...sampleExecutedApproval, result: { status: 200, body: sent } } },
  reject: { params, body: { reason }, answer: sampleRejectedApproval },
  draft: {
    params,
    answer: { ...samplePendingApproval, decided_by, decided_at, status: 'drafted', draft_id: 'r-4819375620184' },
  },
}
