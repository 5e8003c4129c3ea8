/** Approvals that are stored without a credential that requests them. */
import type { Approval } from '@waypost/contract'
import type { WantedApproval } from '../../src/agents/approvals/request-approval.ts'
import type { TestService } from '../harness.ts'

export const wantedApproval = (
  of: Pick<WantedApproval, 'applicationId' | 'grantId'>,
  more: Partial<WantedApproval> = {},
): WantedApproval => ({
  ...of,
  credential: { type: 'api_key', id: '7b0c5f9e-3d21-4c68-9a47-e15f80d2c396', name: 'Assistant' },
  kinds: ['send'],
  preview: {
    recipients: [{ role: 'to', email: 'ann@example.net' }],
    subject: 'Hello',
    text: 'Hello Ann',
    attachments: [],
    details: [],
  },
  snapshot: null,
  action: {
    operation: 'messages.send',
    params: { grant_id: of.grantId ?? '' },
    query: {},
    headers: {},
    json: { to: [{ email: 'ann@example.net' }], subject: 'Hello', body: 'Hello Ann' },
    files: [],
    mime: undefined,
  },
  address: '127.0.0.1',
  ...more,
})

/** Stores a pending approval. */
export async function storeApproval(
  { services }: Pick<TestService, 'services'>,
  of: Pick<WantedApproval, 'applicationId' | 'grantId'>,
  more: Partial<WantedApproval> = {},
): Promise<Approval> {
  const { approval, keep } = await services.agents.approvals.prepare(wantedApproval(of, more))
  await services.storage.database.transaction(keep)
  return approval
}
