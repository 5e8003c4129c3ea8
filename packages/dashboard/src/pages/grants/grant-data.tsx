/** The frames around the pages of a grant. */
import type { Grant } from '@waypost/sdk'
import type { ReactNode } from 'react'
import { api } from '../../api.ts'
import { CustomerData } from '../../components/customer-data.tsx'
import { LoadedPage } from '../../components/loaded-page.tsx'
import { Page } from '../../components/page.tsx'
import { useData } from '../../queries.ts'
import { type GrantTabName, GrantTabs } from './grant-tabs.tsx'

interface FrameProps {
  application: string
  id: string
  current: GrantTabName
  lead?(grant: Grant): ReactNode
  actions?: ReactNode
  children(grant: Grant): ReactNode
}

/** The owner of the grant, and the tabs. */
export function GrantFrame({ application, id, current, lead, actions, children }: FrameProps) {
  const query = useData(['grant', application, id], (signal) => api(application).grants.get({ grant_id: id, signal }))
  const back = { to: `/a/${application}/grants`, label: 'Grants' }
  return (
    <LoadedPage query={query} title="Grant" back={back}>
      {(grant) => (
        <Page title={grant.email} back={back} lead={lead?.(grant)} actions={actions}>
          <GrantTabs application={application} grant={grant} current={current} />
          {children(grant)}
        </Page>
      )}
    </LoadedPage>
  )
}

/** A page with customer data of the grant, with the notice about logged access. */
export function GrantData({ children, ...frame }: Omit<FrameProps, 'lead' | 'actions'>) {
  return (
    <GrantFrame {...frame}>{(grant) => <CustomerData of={grant.email}>{children(grant)}</CustomerData>}</GrantFrame>
  )
}
