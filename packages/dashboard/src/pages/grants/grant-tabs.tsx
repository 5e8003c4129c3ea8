/** The tabs of one grant: details, timeline, and the data of its account. */

import type { Grant } from '@waypost/sdk'
import { api } from '../../api.ts'
import { Tabs } from '../../components/page.tsx'
import { useData } from '../../queries.ts'
import { useRights } from '../../rights.ts'

interface GrantTab {
  path: string
  text: string
  /** The operation that the account must support. The tab shows customer data. */
  needs?: string
}

const tabs = {
  details: { path: '', text: 'Details' },
  timeline: { path: '/timeline', text: 'Timeline' },
  calendar: { path: '/calendar', text: 'Calendar', needs: 'events.list' },
  mail: { path: '/mail', text: 'Mail', needs: 'messages.list' },
  contacts: { path: '/contacts', text: 'Contacts', needs: 'contacts.list' },
} as const satisfies Record<string, GrantTab>

export type GrantTabName = keyof typeof tabs

/** The activity of a grant, and the operations that its account supports. */
export const useGrantActivity = (application: string, id: string) =>
  useData(
    ['grant', application, id, 'activity'],
    (signal) => api().adminGrants.activity({ application_id: application, grant_id: id, signal }),
    { refetchInterval: 15_000 },
  )

export function GrantTabs({
  application,
  grant,
  current,
}: {
  application: string
  grant: Pick<Grant, 'id'>
  current: GrantTabName
}) {
  const { data } = useGrantActivity(application, grant.id)
  const { customerData } = useRights()
  const base = `/a/${application}/grants/${encodeURIComponent(grant.id)}`
  const isOffered = (name: string, { needs }: GrantTab): boolean =>
    needs === undefined || name === current || (customerData && data?.operations.includes(needs) === true)
  const shown = Object.entries(tabs)
    .filter(([name, tab]) => isOffered(name, tab))
    .map(([name, { path, text }]) => ({ to: `${base}${path}`, text, current: name === current }))
  return <Tabs label="Parts of the grant" tabs={shown} />
}
