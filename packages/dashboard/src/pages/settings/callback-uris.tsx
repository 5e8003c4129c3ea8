import type { Application, RedirectUri } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmButton } from '../../components/dialog.tsx'
import { SelectField, TextField } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Card } from '../../components/page.tsx'
import { Empty } from '../../components/states.tsx'
import { Table } from '../../components/table.tsx'
import { refreshApplication } from './settings-card.tsx'

const platforms = ['web', 'js', 'desktop', 'ios', 'android'] as const
type Platform = (typeof platforms)[number]

/** Settings of each platform in addition to the URI. */
const settingsOf: Record<Platform, readonly (readonly [name: string, label: string])[]> = {
  web: [],
  desktop: [],
  js: [['origin', 'Page origin']],
  ios: [
    ['bundle_id', 'Bundle ID'],
    ['app_store_id', 'App Store ID'],
    ['team_id', 'Team ID'],
  ],
  android: [
    ['package_name', 'Package name'],
    ['sha1_certificate_fingerprint', 'SHA-1 certificate fingerprint'],
  ],
}

function EditUri({ application, uri, onClose }: { application: string; uri?: RedirectUri; onClose(): void }) {
  const [platform, setPlatform] = useState<Platform>(uri?.platform ?? 'web')
  const given: Record<string, string | undefined> = uri?.settings ?? {}
  return (
    <FormDialog
      title={uri ? 'Edit callback URI' : 'New callback URI'}
      onClose={onClose}
      submit="Save"
      onSubmit={async (values) => {
        const entries = settingsOf[platform].map(([name]) => [name, values.text(name)])
        const body = { url: values.text('url') ?? '', platform, settings: Object.fromEntries(entries) }
        if (uri) await api(application).redirectUris.update({ id: uri.id, body })
        else await api(application).redirectUris.create({ body })
        await refreshApplication(application)
      }}
    >
      <TextField
        label="Address"
        name="url"
        defaultValue={uri?.url}
        placeholder="https://app.example.com/oauth/callback"
        hint="Must match exactly at sign-in. Use https, or http for localhost."
        autoFocus
      />
      <SelectField
        label="Platform"
        name="platform"
        value={platform}
        onChange={(value) => setPlatform(platforms.find((each) => each === value) ?? 'web')}
        options={platforms.map((each) => [each, each])}
      />
      {settingsOf[platform].map(([name, label]) => (
        <TextField key={name} label={label} name={name} optional defaultValue={given[name] ?? ''} />
      ))}
    </FormDialog>
  )
}

export function CallbackUris({ application }: { application: Application }) {
  const { application_id: id, callback_uris: uris } = application
  const [edited, setEdited] = useState<RedirectUri | 'new'>()
  const create = (
    <Button changes kind="primary" onClick={() => setEdited('new')}>
      New callback URI
    </Button>
  )
  return (
    <Card title="Callback URIs" lead="Where people return to after they connect an account." actions={create}>
      {uris.length === 0 ? (
        <Empty title="No callback URIs">
          Hosted sign-in needs one. Add the page of your app that receives the code.
        </Empty>
      ) : (
        <Table
          label="Callback URIs"
          rows={uris}
          id={(uri) => uri.id}
          columns={[
            { title: 'Address', cell: ({ url }) => <code className="wrap">{url}</code> },
            { title: 'Platform', kind: 'tight', cell: ({ platform }) => <Badge plain>{platform}</Badge> },
          ]}
          actions={(uri) => (
            <span className="actions">
              <Button changes small onClick={() => setEdited(uri)}>
                Change
              </Button>
              <ConfirmButton
                small
                label="Remove"
                title="Remove this callback URI?"
                onConfirm={() => api(id).redirectUris.delete({ id: uri.id })}
                reload={() => refreshApplication(id)}
              >
                <p>
                  Sign-ins that use <code className="wrap">{uri.url}</code> are refused from now on.
                </p>
              </ConfirmButton>
            </span>
          )}
        />
      )}
      {edited && (
        <EditUri application={id} uri={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
    </Card>
  )
}
