import { type Connector, type ConnectorTest, type ProviderKind, providerKinds } from '@waypost/sdk'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { CopyText } from '../../components/copy.tsx'
import { ActionButton, ConfirmButton } from '../../components/dialog.tsx'
import { AreaField, Form, TextField, type Values } from '../../components/form.tsx'
import { Card, Page } from '../../components/page.tsx'
import { Empty, Loaded } from '../../components/states.tsx'
import { tell } from '../../components/toast.tsx'
import { refresh, useConnectors, useGuides } from '../../queries.ts'
import { Credentials } from './credentials.tsx'
import { type ConnectorField, callbackUri, fieldsOf, isKind, needsClient } from './kinds.ts'

const labels: Record<string, string> = {
  client_id: 'Client id',
  client_secret: 'Client secret',
  topic_name: 'Pub/Sub topic',
  project_id: 'Project id',
  tenant: 'Tenant',
}
const hints: Record<string, string> = {
  topic_name: 'Such as projects/my-project/topics/mail: new messages are told at once instead of being looked for.',
  tenant: 'common for every organisation, or the id of one.',
}

function settingsIn(fields: readonly ConnectorField[], values: Values): Record<string, string> {
  const given = fields.map(({ name, secret }) => [name, secret ? values.exact(name) || undefined : values.text(name)])
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}

function SettingsForm({
  application,
  kind,
  connector,
}: {
  application: string
  kind: ProviderKind
  connector?: Connector
}) {
  const fields = fieldsOf(kind)
  const scoped = needsClient(kind) || providerKinds[kind].takesScope
  return (
    <Card title={connector ? 'Settings' : 'Set up'}>
      <div className="card-body">
        <Form
          submit={connector ? 'Save' : 'Create connector'}
          onSubmit={async (values) => {
            const scope = values.lines('scope')
            // Those of the sandbox are fixed: what did not change is not sent.
            const isNew = scoped && scope.join(' ') !== (connector?.scope ?? []).join(' ')
            const body = {
              name: values.text('name'),
              settings: settingsIn(fields, values),
              ...(isNew ? { scope } : {}),
            }
            const routes = api(application).connectors
            if (connector) await routes.update({ provider: kind, body })
            else await routes.create({ body: { provider: kind, ...body } })
            await refresh('connectors', application)
            tell('Saved')
          }}
        >
          <div className="form-grid">
            {fields.map(({ name, secret, required }) => {
              const kept: unknown = connector?.settings[name]
              return (
                <TextField
                  key={name}
                  label={labels[name] ?? name}
                  name={name}
                  type={secret ? 'password' : 'text'}
                  autoComplete={secret ? 'new-password' : 'off'}
                  optional={!required}
                  hint={secret && connector ? 'Kept sealed, never shown. Give it again when you save.' : hints[name]}
                  defaultValue={typeof kept === 'string' ? kept : ''}
                />
              )
            })}
            <TextField label="Name" name="name" optional hint="For yourself." defaultValue={connector?.name ?? ''} />
          </div>
          {scoped && (
            <AreaField
              label="Scopes"
              name="scope"
              optional
              mono
              rows={4}
              hint="One for each line: what people are asked for. The usual ones when this is empty."
              defaultValue={connector?.scope.join('\n')}
            />
          )}
        </Form>
      </div>
    </Card>
  )
}

function Checks({ result }: { result: ConnectorTest }) {
  return (
    <ul className="list checks">
      {result.checks.map(({ name, ok, message }) => (
        <li key={name}>
          <Badge tone={ok ? 'good' : 'bad'}>{ok ? 'fine' : 'wrong'}</Badge>
          <span>
            <strong>{name}</strong>
            <span className="quiet wrap"> {message}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

function TestCard({ application, kind }: { application: string; kind: ProviderKind }) {
  const [result, setResult] = useState<ConnectorTest>()
  return (
    <Card
      title="Test"
      lead="Shows your client to the provider and says what is wrong. Nobody's account is touched."
      actions={
        <ActionButton
          label="Test connector"
          busyLabel="Testing…"
          onAct={async () => setResult((await api(application).connectors.test({ provider: kind })).data)}
        />
      }
    >
      <div aria-live="polite">
        {result && (
          <>
            <div className="card-body">
              <div className={`note ${result.ok ? 'good' : 'bad'}`}>
                <strong>{result.ok ? 'Everything is in order.' : 'Something is wrong.'}</strong>
              </div>
            </div>
            <Checks result={result} />
          </>
        )}
        {!result && <Empty title="Not tested yet" />}
      </div>
    </Card>
  )
}

function RemoveCard({ application, kind }: { application: string; kind: ProviderKind }) {
  const [, navigate] = useLocation()
  return (
    <Card
      title="Remove"
      lead="Accounts of this provider can then no longer be connected."
      actions={
        <ConfirmButton
          label="Remove connector"
          title={`Remove the ${providerKinds[kind].title} connector?`}
          confirm="Remove"
          onConfirm={async () => {
            await api(application).connectors.delete({ provider: kind })
            await refresh('connectors', application)
            tell('The connector was removed')
            navigate(`/a/${application}/connectors`)
          }}
        >
          <p>Its credentials are deleted with it.</p>
          <p>Its grants stop working at once, and are removed after 72 hours unless they are authenticated again.</p>
        </ConfirmButton>
      }
    >
      {null}
    </Card>
  )
}

export function ConnectorPage({ application, id }: { application: string; id: string }) {
  const connectors = useConnectors(application)
  const guides = useGuides(application)
  const back = { to: `/a/${application}/connectors`, label: 'Connectors' }
  if (!isKind(id)) {
    return (
      <Page title="Unknown provider" back={back}>
        <Card>
          <Empty title="There is no provider of this name" />
        </Card>
      </Page>
    )
  }
  const guide = guides.data?.find(({ provider }) => provider === id)
  return (
    <Page title={providerKinds[id].title} back={back}>
      {guide?.available === false && (
        <div className="note warn">
          <strong>This server cannot connect accounts of this kind yet.</strong>
          <span className="small">A connector can be prepared; grants can be made once it can.</span>
        </div>
      )}
      {needsClient(id) && (
        <Card title="Redirect address" lead="Register exactly this one for your client at the provider.">
          <div className="card-body">
            <CopyText text={callbackUri} label="Copy the redirect address" />
          </div>
        </Card>
      )}
      <Loaded query={connectors}>
        {(made) => {
          const connector = made.find(({ provider }) => provider === id)
          return (
            <>
              <SettingsForm
                key={connector?.updated_at ?? 0}
                application={application}
                kind={id}
                connector={connector}
              />
              {connector && <TestCard application={application} kind={id} />}
              {connector && needsClient(id) && <Credentials {...{ application, connector }} kind={id} />}
              {connector && <RemoveCard application={application} kind={id} />}
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}
