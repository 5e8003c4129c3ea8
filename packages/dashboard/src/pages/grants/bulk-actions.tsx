/** What is done with many grants at once. */
import { api } from '../../api.ts'
import type { BulkAction } from '../../components/bulk.tsx'

export function grantActions(application: string): readonly BulkAction[] {
  const of = (id: string) => ({ application_id: application, grant_id: id })
  return [
    {
      label: 'Block',
      done: 'blocked',
      act: (id) => api().adminGrants.update({ ...of(id), body: { blocked: true } }),
      children: <p>Every request for them is refused and their changes are not watched, until you unblock them.</p>,
    },
    {
      label: 'Unblock',
      done: 'unblocked',
      act: (id) => api().adminGrants.update({ ...of(id), body: { blocked: false } }),
      children: <p>Requests for them are answered again, and their changes are watched again.</p>,
    },
    {
      label: 'Revoke',
      done: 'revoked',
      danger: true,
      isFinal: true,
      act: (id) => api().adminGrants.revoke(of(id)),
      children: (
        <p>
          They become invalid at once and <code>grant.expired</code> is told of each. Nothing can be read or sent until
          their people authenticate again. They keep their ids and data, and stay billed.
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
          At once and for ever: their access at the providers is given back, and everything kept for them goes, virtual
          calendars with their events too. Accounts that are connected again get new ids.
        </p>
      ),
    },
  ]
}
