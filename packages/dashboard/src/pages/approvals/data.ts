/** Keeps approvals up to date while a page is open. */
import { useLive } from '../../live.ts'
import { approvalsKey, refresh } from '../../queries.ts'

export const refreshApprovals = (application: string): Promise<void> => refresh(...approvalsKey(application))

const triggers = ['approval.requested', 'approval.approved', 'approval.rejected', 'approval.expired', 'approval.failed']

/** Reloads approvals when a notification says that one changed. */
export const useLiveApprovals = (application: string): void => {
  useLive({ application, triggers, onChange: () => void refreshApprovals(application) })
}
