import { isUuid } from '@waypost/platform/ids'
import type { ApprovalAddress } from '@waypost/store/tables/agents/approvals'
import { noApproval } from '../../../agents/approvals/decisions.ts'
import type { Acting } from '../../../applications/acting.ts'
import type { Services } from '../../../services/services.ts'
import type { Handlers } from '../../pipeline/handler-types.ts'
import { pageOf, placeOf } from '../lists/keyset-page.ts'

interface Decider {
  application: { id: string; keyId?: string }
  acting: Acting | undefined
}

/** Who decides, in words. */
const deciderOf = ({ application, acting }: Decider): string =>
  acting ? (acting.person?.email ?? 'administrator') : `API key ${application.keyId ?? ''}`.trim()

/** Ids are compared in lower case; a text of another form names nothing. */
const addressOf = (application: { id: string }, id: string): ApprovalAddress => ({
  applicationId: application.id,
  id: isUuid(id) ? id.toLowerCase() : '',
})

const decisionOf = (context: Decider & { params: { approval_id: string } }) => ({
  ...addressOf(context.application, context.params.approval_id),
  by: deciderOf(context),
})

export const approvals = ({ agents: { approvals: service } }: Pick<Services, 'agents'>): Handlers['approvals'] => ({
  list: async ({ application, query, position }) => {
    const { status, grant_id, credential_id, limit } = query
    const found = await service.list(
      {
        applicationId: application.id,
        status,
        credentialId: application.credential?.id ?? credential_id,
        grantIds: grant_id === undefined ? undefined : [grant_id],
      },
      { after: placeOf(position), limit },
    )
    return pageOf(found, found.rows)
  },
  get: async ({ application, params }) => {
    const approval = await service.get(addressOf(application, params.approval_id))
    // A restricted credential sees its own only.
    const { credential } = application
    if (credential && approval.requested_by.id !== credential.id) throw noApproval()
    return approval
  },
  approve: (context) => service.decide({ ...decisionOf(context), decision: 'approve', signal: context.signal }),
  reject: (context) =>
    service.decide({ ...decisionOf(context), decision: 'reject', reason: context.body.reason ?? undefined }),
  draft: (context) => service.decide({ ...decisionOf(context), decision: 'draft', signal: context.signal }),
})
