import type { Application } from '@waypost/sdk'
import { AreaField, TextField } from '../../components/form.tsx'
import { SettingsCard } from './settings-card.tsx'

const linesOf = (list: string | null | undefined): string => (list ?? '').split(',').join('\n')

export function Identity({ application }: { application: Application }) {
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
