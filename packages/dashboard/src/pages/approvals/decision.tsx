/** The decision about an approval: approve, reject with a reason, or edit as a draft. */
import { useMutation } from '@tanstack/react-query'
import type { Approval } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { ActionButton } from '../../components/dialog.tsx'
import { AreaField } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Card } from '../../components/page.tsx'
import { ErrorNote } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'
import { showToast } from '../../components/toast.tsx'
import { canBecomeDraft, sayRequester } from './approval-words.ts'
import { refreshApprovals } from './data.ts'

interface DecisionProps {
  application: string
  approval: Approval
}

const approveLabels: Record<Approval['kind'], string> = {
  send: 'Approve and send',
  delete: 'Approve and delete',
  invite: 'Approve and notify',
}

/** Says how an approved action ended. A failure is not an error of the decision: the page shows it. */
function tell({ status, reason }: Approval): void {
  if (status === 'executed') showToast('Approved and done')
  else if (status === 'failed') showToast(`Approved, but it failed: ${(reason ?? 'unknown').slice(0, 120)}`)
  else showToast('Approved. It is being carried out')
}

function RejectDialog({ application, approval, onClose }: DecisionProps & { onClose(): void }) {
  return (
    <FormDialog
      title="Reject this action?"
      onClose={onClose}
      submit="Reject action"
      kind="danger-solid"
      onSubmit={(values) =>
        api(application).approvals.reject({ approval_id: approval.id, body: { reason: values.text('reason') } })
      }
      reload={() => refreshApprovals(application)}
      done="Rejected. Nothing was sent or changed"
    >
      <AreaField
        label="Reason"
        name="reason"
        optional
        rows={2}
        hint={`${sayRequester(approval.requested_by)} can read it.`}
      />
    </FormDialog>
  )
}

export function Decision({ application, approval }: DecisionProps) {
  const [rejecting, setRejecting] = useState(false)
  const params = { approval_id: approval.id }
  const approving = useMutation({
    mutationFn: async () => (await api(application).approvals.approve(params)).data,
    onSuccess: tell,
    // Also after a failure: somebody else may have decided.
    onSettled: () => refreshApprovals(application),
  })
  return (
    <Card>
      <div className="card-body stack">
        <p>
          Decide <Time at={approval.expires_at} />, otherwise it expires and nothing happens.
        </p>
        <div className="actions">
          <Button changes kind="primary" busy={approving.isPending} onClick={() => approving.mutate()}>
            {approveLabels[approval.kind]}
          </Button>
          {canBecomeDraft(approval) && (
            <ActionButton
              changes
              label="Edit as draft"
              onAct={() => api(application).approvals.draft(params)}
              reload={() => refreshApprovals(application)}
              done="The message is a draft in the account now"
            />
          )}
          <Button changes kind="danger" onClick={() => setRejecting(true)}>
            Reject
          </Button>
        </div>
        {approving.error && <ErrorNote error={approving.error} />}
      </div>
      {rejecting && <RejectDialog {...{ application, approval }} onClose={() => setRejecting(false)} />}
    </Card>
  )
}
