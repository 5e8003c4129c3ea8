import { useQuery } from '@tanstack/react-query'
import { type ProviderKind, providerKinds } from '@waypost/sdk'
import { useLocation } from 'wouter'
import { api } from '../../api.ts'
import { ConfirmButton } from '../../components/dialog.tsx'
import { Card, Page } from '../../components/page.tsx'
import { Empty, Loaded } from '../../components/states.tsx'
import { showToast } from '../../components/toast.tsx'
import { refresh, useApplicationSummary, useConnectors, useGuides } from '../../queries.ts'
import '../../styles/connectors.css'
import { Credentials } from './credentials.tsx'
import { GuidedSetup } from './guided-setup.tsx'
import { isKind, needsClient } from './kinds.ts'
import { SimulateButton, setupQuery } from './simulators.tsx'

function RemoveCard({ application, kind }: { application: string; kind: ProviderKind }) {
  const [, navigate] = useLocation()
  return (
    <Card
      title="Remove"
      lead="People can no longer connect accounts of this provider."
      actions={
        <ConfirmButton
          label="Remove connector"
          title={`Remove the ${providerKinds[kind].title} connector?`}
          confirm="Remove"
          onConfirm={async () => {
            await api(application).connectors.delete({ provider: kind })
            await refresh('connectors', application)
            showToast('Connector removed')
            navigate(`/a/${application}/connectors`)
          }}
        >
          <p>Its credentials are deleted too.</p>
          <p>
            Its grants stop working immediately. They are deleted after 72 hours unless they are authenticated again.
          </p>
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
  const setup = useQuery({ ...setupQuery(application, id), enabled: isKind(id) })
  const environment = useApplicationSummary(application).data?.environment
  // A simulator replaces the provider and already has its client.
  const isSimulated = connectors.data?.some(
    ({ provider, settings }) => provider === id && (!needsClient(id) || Boolean(settings.client_id)),
  )
  const back = { to: `/a/${application}/connectors`, label: 'Connectors' }
  if (!isKind(id)) {
    return (
      <Page title="Unknown provider" back={back}>
        <Card>
          <Empty title="No provider has this name" />
        </Card>
      </Page>
    )
  }
  const guide = guides.data?.find(({ provider }) => provider === id)
  return (
    <Page title={providerKinds[id].title} back={back}>
      {guide?.available === false && (
        <div className="note warn">
          <strong>This server cannot connect accounts of this provider.</strong>
          <span className="small">You can set up a connector, but nobody can use it yet.</span>
        </div>
      )}
      {setup.data?.simulator.url && (
        <div className="note">
          <strong>A simulated {providerKinds[id].title} is connected instead of the real one.</strong>
          <span className="small">
            <code className="wrap">{setup.data.simulator.url}</code>
          </span>
          {setup.data.simulator.ready && !isSimulated && (
            <div className="actions">
              <SimulateButton application={application} kind={id} />
            </div>
          )}
        </div>
      )}
      <Loaded query={connectors}>
        {(made) => {
          const connector = made.find(({ provider }) => provider === id)
          return (
            <>
              <Card title="Setup">
                <GuidedSetup
                  {...{ application, connector }}
                  kind={id}
                  setup={setup.data}
                  fixedScopes={environment === 'sandbox' && needsClient(id)}
                />
              </Card>
              {connector && needsClient(id) && <Credentials {...{ application, connector }} kind={id} />}
              {connector && <RemoveCard application={application} kind={id} />}
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}
