/** Connects an account: through the provider's sign-in, or with credentials in a form. */
import type { ProviderGuide } from '@waypost/sdk'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../api.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Form, SelectField, TextField, type Values } from '../../components/form.tsx'
import { Loaded } from '../../components/states.tsx'
import { showToast } from '../../components/toast.tsx'
import { refresh, useGuides } from '../../queries.ts'
import { needsClient } from '../connectors/kinds.ts'
import { beginSignIn } from './sign-in-link.ts'

const isSecret = (name: string): boolean => /password|token|secret/.test(name)
const isFlag = (name: string): boolean => name === 'watch' || name === 'ews_impersonation'
const label = (name: string): string => {
  const words = name.replaceAll('_', ' ').replace('imap', 'IMAP').replace('smtp', 'SMTP').replace('ews', 'EWS')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const settingsIn = (guide: ProviderGuide, values: Values): Record<string, unknown> =>
  Object.fromEntries(
    guide.settings.flatMap(({ name }): [name: string, value: unknown][] => {
      const value = isSecret(name) ? values.exact(name) || undefined : values.text(name)
      if (value === undefined) return []
      if (isFlag(name)) return [[name, value === 'true']]
      return [[name, name === 'scopes' ? value.split(/[\s,]+/) : value]]
    }),
  )

/** Required fields first, then optional ones. */
function CredentialsForm({
  application,
  guide,
  onClose,
}: {
  application: string
  guide: ProviderGuide
  onClose(): void
}) {
  const [, navigate] = useLocation()
  const field = ({ name, required, description }: ProviderGuide['settings'][number]) => (
    <TextField
      key={name}
      label={label(name)}
      name={name}
      type={isSecret(name) ? 'password' : 'text'}
      autoComplete={isSecret(name) ? 'new-password' : 'off'}
      optional={!required}
      hint={description || undefined}
    />
  )
  const isMain = ({ name, required }: ProviderGuide['settings'][number]): boolean =>
    required || name === 'imap_password' || name === 'refresh_token'
  const others = guide.settings.filter((each) => !isMain(each))
  return (
    <Form
      key={guide.provider}
      submit="Connect"
      onCancel={onClose}
      onSubmit={async (values) => {
        const body = { provider: guide.provider, settings: settingsIn(guide, values) }
        return (await api(application).connect.custom({ body })).data
      }}
      reload={() => Promise.all([refresh('grants', application), refresh('applications')])}
      onDone={(grant) => {
        showToast(`${grant.email} is connected`)
        navigate(`/a/${application}/grants/${grant.id}`)
      }}
    >
      {guide.settings.filter(isMain).map(field)}
      {others.length > 0 && (
        <details className="disclosure">
          <summary>More settings</summary>
          <div className="form-grid">{others.map(field)}</div>
        </details>
      )}
    </Form>
  )
}

function HowToConnect({ application, guide, onClose }: { application: string; guide: ProviderGuide; onClose(): void }) {
  if (!guide.available) {
    return <div className="note warn">This server cannot connect accounts of this provider.</div>
  }
  if (!guide.connector) {
    return (
      <div className="note warn">
        <strong>{guide.title} has no connector yet.</strong>
        <span className="small">Set up a connector for this provider before you connect accounts.</span>
        <div className="actions">
          <LinkButton small to={`/a/${application}/connectors/${guide.provider}`}>
            Set up
          </LinkButton>
        </div>
      </div>
    )
  }
  if (!needsClient(guide.provider)) return <CredentialsForm {...{ application, guide, onClose }} />
  return (
    <div className="stack">
      <p>
        You sign in at {guide.title} and return here with the new grant. If the account is already connected, this
        renews its access.
      </p>
      <div className="dialog-foot">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" onClick={() => void beginSignIn({ application, provider: guide.provider })}>
          Sign in at {guide.title}
        </Button>
      </div>
      <details className="disclosure">
        <summary>Use a refresh token instead</summary>
        <CredentialsForm {...{ application, guide, onClose }} />
      </details>
    </div>
  )
}

export function NewGrant({ application, onClose }: { application: string; onClose(): void }) {
  const guides = useGuides(application)
  const [chosen, setChosen] = useState<string>()
  return (
    <Dialog title="Connect an account" onClose={onClose}>
      <Loaded query={guides} lines={3}>
        {(known) => {
          const all = known.filter(({ available, connector }) => available || connector)
          const ready = all.filter(({ available, connector }) => available && connector)
          const guide = all.find(({ provider }) => provider === chosen) ?? ready[0] ?? all[0]
          if (!guide) return null
          return (
            <div className="stack">
              <SelectField
                label="Provider"
                name="provider"
                value={guide.provider}
                onChange={setChosen}
                options={all.map(({ provider, title, connector }) => [
                  provider,
                  connector ? title : `${title} (no connector)`,
                ])}
              />
              <HowToConnect application={application} guide={guide} onClose={onClose} />
            </div>
          )
        }}
      </Loaded>
    </Dialog>
  )
}
