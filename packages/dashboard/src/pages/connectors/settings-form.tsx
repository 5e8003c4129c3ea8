/** The OAuth client and scopes of a connector, with warnings about likely mistakes. */
import { type Connector, type ProviderKind, providerKinds } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { AreaField, Form, SelectField, TextField, type Values } from '../../components/form.tsx'
import { showToast } from '../../components/toast.tsx'
import { refresh } from '../../queries.ts'
import { type ConnectorField, fieldsOf, needsClient } from './kinds.ts'
import { chosenIn, scopeTables, withChoice } from './scopes.ts'
import { doubtOf } from './setting-doubts.ts'

const labels: Record<string, string> = {
  client_id: 'Client ID',
  client_secret: 'Client secret',
  topic_name: 'Pub/Sub topic',
  project_id: 'Project ID',
  tenant: 'Tenant',
}
const hints: Record<string, string> = {
  topic_name: 'Such as projects/my-project/topics/mail. Needed to receive new mail immediately.',
  tenant: 'common (everyone), organizations, consumers, or the ID of one organization.',
}

function settingsIn(fields: readonly ConnectorField[], values: Values): Record<string, string> {
  const given = fields.map(({ name, secret }) => [name, secret ? values.exact(name) || undefined : values.text(name)])
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}

function SettingField({
  kind,
  field: { name, secret, required },
  connector,
  simulated,
}: {
  kind: ProviderKind
  field: ConnectorField
  connector: Connector | undefined
  simulated: boolean
}) {
  const retained: unknown = connector?.settings[name]
  const [value, setValue] = useState(typeof retained === 'string' ? retained : '')
  const doubt = simulated ? undefined : doubtOf(kind, name, value)
  const usual = secret && connector ? 'Stored encrypted and never shown. Leave empty to keep it.' : hints[name]
  return (
    <TextField
      label={labels[name] ?? name}
      name={name}
      type={secret ? 'password' : 'text'}
      autoComplete={secret ? 'new-password' : 'off'}
      optional={!required || (secret && connector !== undefined)}
      hint={doubt ? <span className="doubt">{doubt}</span> : usual}
      value={value}
      onChange={setValue}
    />
  )
}

export function SettingsForm({
  application,
  kind,
  connector,
  simulated,
  fixedScopes,
  onSave,
}: {
  application: string
  kind: ProviderKind
  connector: Connector | undefined
  /** A simulator replaces the provider, so the format of the client is not checked. */
  simulated: boolean
  /** The scopes of the sandbox cannot be changed. */
  fixedScopes: boolean
  /** Called after saving to reset the form, so that a typed secret does not stay in the page. */
  onSave: () => void
}) {
  const fields = fieldsOf(kind)
  const scoped = (needsClient(kind) || providerKinds[kind].takesScope) && !fixedScopes
  return (
    <Form
      submit={connector ? 'Save' : 'Create connector'}
      onSubmit={async (values) => {
        const scope = scoped ? values.lines('scope') : []
        const isNew = scoped && scope.join(' ') !== (connector?.scope ?? []).join(' ')
        const body = { name: values.text('name'), settings: settingsIn(fields, values), ...(isNew ? { scope } : {}) }
        const routes = api(application).connectors
        if (connector) await routes.update({ provider: kind, body })
        else await routes.create({ body: { provider: kind, ...body } })
        await refresh('connectors', application)
        onSave()
        showToast('Saved')
      }}
    >
      <div className="form-grid">
        {fields.map((field) => (
          <SettingField key={field.name} {...{ kind, field, connector, simulated }} />
        ))}
        <TextField
          label="Name"
          name="name"
          optional
          hint="Only you see this name."
          defaultValue={connector?.name ?? ''}
        />
      </div>
      {scoped && <ScopeChoice kind={kind} scopes={connector?.scope ?? []} />}
      {fixedScopes && <p className="quiet small">The scopes of the sandbox are fixed.</p>}
    </Form>
  )
}

const linesOf = (text: string): string[] => text.split(/\s+/).filter((line) => line !== '')

/** Permissions: chosen by plain names, shown with the provider's scopes. */
function ScopeChoice({ kind, scopes }: { kind: ProviderKind; scopes: readonly string[] }) {
  const [text, setText] = useState(scopes.join('\n'))
  const table = scopeTables[kind]
  const given = linesOf(text)
  return (
    <fieldset className="scopes">
      <legend>Permissions</legend>
      {table && (
        <>
          <p className="quiet small">{table.note}</p>
          <div className="form-grid">
            {table.parts.map((part) => (
              <SelectField
                key={part.name}
                label={part.title}
                name={`part-${part.name}`}
                value={chosenIn(table, part, given)}
                onChange={(choice) => setText(withChoice(table, given, { part: part.name, choice }).join('\n'))}
                options={part.choices.map(({ name, text: words }) => [name, words] as const)}
              />
            ))}
          </div>
        </>
      )}
      <AreaField
        label="Scopes"
        name="scope"
        optional
        mono
        rows={4}
        hint="The same permissions as provider scopes, one per line. Leave empty for the defaults."
        value={text}
        onChange={setText}
      />
    </fieldset>
  )
}
