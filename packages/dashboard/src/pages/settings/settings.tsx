import type { Application } from '@waypost/sdk'
import type { ReactNode } from 'react'
import { Page, Tabs } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { useApplication } from '../../queries.ts'
import { CallbackUris } from './callback-uris.tsx'
import { General } from './general.tsx'
import { HostedPage } from './hosted-page.tsx'
import { Identity } from './identity.tsx'

const tabs: readonly (readonly [id: string, text: string, show: (application: Application) => ReactNode])[] = [
  ['', 'General', (application) => <General application={application} />],
  ['hosted-page', 'Hosted page', (application) => <HostedPage application={application} />],
  ['callback-uris', 'Callback URIs', (application) => <CallbackUris application={application} />],
  ['identity', 'Identity', (application) => <Identity application={application} />],
]

export function Settings({ application, id }: { application: string; id: string }) {
  const query = useApplication(application)
  const at = `/a/${application}/settings`
  const tab = tabs.find(([name]) => name === id) ?? tabs[0]
  return (
    <Page title="Settings">
      <Tabs
        label="Settings"
        tabs={tabs.map(([name, text]) => ({ to: name ? `${at}/${name}` : at, text, current: name === tab?.[0] }))}
      />
      <Loaded query={query}>{(data) => tab?.[2](data)}</Loaded>
    </Page>
  )
}
