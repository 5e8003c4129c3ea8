import type { Application } from '@waypost/sdk'
import type { ReactNode } from 'react'
import { AreaField, TextField } from '../../components/form.tsx'
import { Page, Tabs } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { useApplication } from '../../queries.ts'
import { CallbackUris } from './callback-uris.tsx'
import { General } from './general.tsx'
import { HostedPage } from './hosted-page.tsx'
import { SettingsCard } from './settings-card.tsx'

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

const linesOf = (list: string | null | undefined): string => (list ?? '').split(',').join('\n')

function Identity({ application }: { application: Application }) {
  const { origins, issuers } = application.idp_settings
  return (
    <SettingsCard
      title="Identity origins"
      lead="Origins and token issuers that this application trusts."
      submit="Save identity"
      application={application}
      changeIn={({ lines, text }) => ({
        idp_settings: { origins: lines('origins').join(','), issuers: lines('issuers').join(',') },
        domain: text('domain'),
      })}
    >
      <AreaField
        label="Allowed origins"
        name="origins"
        optional
        mono
        rows={3}
        hint="One per line, such as https://app.example.com. Use https, or http for localhost, without a path."
        defaultValue={linesOf(origins)}
      />
      <AreaField
        label="Trusted issuers"
        name="issuers"
        optional
        mono
        rows={3}
        hint="One per line: the iss claim of tokens from your identity provider."
        defaultValue={linesOf(issuers)}
      />
      <TextField label="Domain" name="domain" optional defaultValue={application.domain ?? ''} />
    </SettingsCard>
  )
}
