/** Test accounts without a real provider: simulated providers, or how to start them. */
import { useQueries } from '@tanstack/react-query'
import type { ConnectorSetup, ProviderKind } from '@waypost/sdk'
import { api } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { LinkButton } from '../../components/button.tsx'
import { CopyText } from '../../components/copy.tsx'
import { ActionButton } from '../../components/dialog.tsx'
import { Card } from '../../components/page.tsx'
import { refresh, useConnectors } from '../../queries.ts'
import { providerTitle } from './kinds.ts'

/** Providers that have simulators. */
const simulated: readonly ProviderKind[] = ['google', 'microsoft', 'yahoo', 'ews']

export const setupQuery = (application: string, kind: string) => ({
  queryKey: ['connectors', application, 'setup', kind],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await api().connectorSetup.get({ application_id: application, provider: kind, signal })).data,
})

export const SimulateButton = ({
  application,
  kind,
  small = false,
}: {
  application: string
  kind: ProviderKind
  small?: boolean
}) => (
  <ActionButton
    small={small}
    changes
    kind="primary"
    label={`Connect the simulated ${providerTitle(kind)}`}
    onAct={() => api().connectorSetup.simulate({ application_id: application, provider: kind })}
    reload={() => refresh('connectors', application)}
    done={`The simulated ${providerTitle(kind)} is connected`}
  />
)

export function Simulators({ application }: { application: string }) {
  const connectors = useConnectors(application)
  const setups = useQueries({ queries: simulated.map((kind) => setupQuery(application, kind)) })
  const known = setups.flatMap(({ data }): ConnectorSetup[] => (data ? [data] : []))
  if (known.length < simulated.length || !connectors.data) return null
  const running = known.filter(({ simulator }) => simulator.url !== null)
  if (running.length === 0) {
    return (
      <Card title="Try without a provider">
        <div className="card-body stack">
          <p>
            This command starts the service with simulated Google, Microsoft, Yahoo, Exchange and Zoom servers and test
            accounts. Virtual calendars need no provider.
          </p>
          <CopyText text="npm run dev" label="Copy command" />
        </div>
      </Card>
    )
  }
  const isMade = (kind: string): boolean =>
    connectors.data.some(
      ({ provider, settings }) => provider === kind && (kind === 'ews' || Boolean(settings.client_id)),
    )
  return (
    <Card title="Simulated providers" lead="They replace the real providers. No real account is accessed.">
      <ul className="list">
        {running.map(({ provider, simulator }) => (
          <li key={provider} className="split">
            <span className="main-cell wrap">
              <strong>{providerTitle(provider)}</strong>
              <code className="quiet">{simulator.url}</code>
            </span>
            {isMade(provider) ? (
              <span className="tags">
                <Badge tone="good">connected</Badge>
                <LinkButton small to={`/a/${application}/grants`}>
                  Connect an account
                </LinkButton>
              </span>
            ) : simulator.ready ? (
              <SimulateButton small application={application} kind={provider} />
            ) : (
              <LinkButton small to={`/a/${application}/connectors/${provider}`}>
                Use its client
              </LinkButton>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
