/** The frame around customer data of a grant: its owner, the tabs, and the notice about logged access. */

import type { Grant } from '@waypost/sdk'
import type { ReactNode } from 'react'
import { api } from '../../api.ts'
import { CustomerData } from '../../components/customer-data.tsx'
import { Card, Page } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { useData } from '../../queries.ts'
import { type GrantTabName, GrantTabs } from './grant-tabs.tsx'

export function GrantData({
  application,
  id,
  current,
  children,
}: {
  application: string
  id: string
  current: GrantTabName
  children(grant: Grant): ReactNode
}) {
  const query = useData(['grant', application, id], (signal) => api(application).grants.get({ grant_id: id, signal }))
  const back = { to: `/a/${application}/grants`, label: 'Grants' }
  const grant = query.data
  return (
    <Page title={grant?.email ?? 'Grant'} back={back}>
      {grant ? (
        <>
          <GrantTabs application={application} grant={grant} current={current} />
          <CustomerData of={grant.email}>{children(grant)}</CustomerData>
        </>
      ) : (
        <Card>
          <Loaded query={query}>{() => null}</Loaded>
        </Card>
      )}
    </Page>
  )
}
