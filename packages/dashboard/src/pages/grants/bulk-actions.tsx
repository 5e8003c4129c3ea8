/** Bulk actions on grants. */
import { api } from '../../api.ts'
import type { BulkAction } from '../../components/bulk.tsx'

export function grantActions(application: string): readonly BulkAction[] {
  const of = (id: string) => ({ application_id: application, grant_id: id })
  return [
    {
      label: 'Block',
      done: 'blocked',
      act: (id) => api().adminGrants.update({ ...of(id), body: { blocked: true } }),
      children: <p>Requests for these grants are refused and their changes are not watched until you unblock them.</p>,
    },
    {
      label: 'Unblock',
      done: 'unblocked',
      act: (id) => api().adminGrants.update({ ...of(id), body: { blocked: false } }),
      children: <p>Requests for these grants work again, and their changes are watched again.</p>,
    },
    {
      label: 'Revoke',
      done: 'revoked',
      danger: true,
      isFinal: true,
      act: (id) => api().adminGrants.revoke(of(id)),
      children: (
        <p>
          These grants become invalid immediately, and <code>grant.expired</code> is sent for each. Nothing can be read
          or sent until their owners authenticate again. The grants keep their IDs and data, and stay billed.
        </p>
      ),
    },
    {
      label: 'Delete',
      done: 'deleted',
      danger: true,
      isFinal: true,
      act: (id) => api(application).grants.delete({ grant_id: id }),
      children: (
        <p>
          This takes effect immediately and cannot be undone. Access at the providers is revoked and all stored data is
          deleted, including virtual calendars and their events. Accounts that connect again get new IDs.
        </p>
      ),
    },
  ]
}
