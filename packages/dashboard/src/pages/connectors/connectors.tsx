import { type Connector, type ProviderGuide, type ProviderKind, providerKinds } from '@waypost/sdk'
import { Badge } from '../../components/badge.tsx'
import { LinkButton } from '../../components/button.tsx'
import { Page } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { useConnectors, useGuides } from '../../queries.ts'
import { kinds, needsClient } from './kinds.ts'
import { Simulators } from './simulators.tsx'

/** How people connect accounts of each provider. */
const ways: Record<ProviderKind, string> = {
  google: 'People sign in with Google. Needs your OAuth client.',
  microsoft: 'People sign in with Microsoft. Needs your app registration.',
  imap: 'Any other mailbox. People enter their address and password.',
  icloud: 'People enter an app-specific password.',
  yahoo: 'People enter an app password, or sign in through your OAuth client.',
  ews: 'On-premises Exchange servers. People enter a user name and password.',
  'virtual-calendar': 'Calendars stored by this service. Nothing to set up.',
  zoom: 'Creates Zoom meetings for events of other accounts. Needs your Zoom app.',
}

/** Providers that this server cannot connect are hidden, unless a connector already exists. */
const isOffered = (kind: ProviderKind, made: readonly Connector[], guides: readonly ProviderGuide[]): boolean =>
  made.some(({ provider }) => provider === kind) ||
  guides.some(({ provider, available }) => provider === kind && available)

export function Connectors({ application }: { application: string }) {
  const connectors = useConnectors(application)
  const allGuides = useGuides(application)
  return (
    <Page title="Connectors" lead="Set up a connector for each provider whose accounts people can connect.">
      <Simulators application={application} />
      <Loaded query={connectors}>
        {(made) => (
          <Loaded query={allGuides}>
            {(guides) => (
              <ul className="providers">
                {kinds
                  .filter((kind) => isOffered(kind, made, guides))
                  .map((kind) => {
                    const connector = made.find(({ provider }) => provider === kind)
                    return (
                      <li key={kind} className="card provider">
                        <div>
                          <div className="split">
                            <h2>{providerKinds[kind].title}</h2>
                            {connector && needsClient(kind) && kind !== 'yahoo' && !connector.settings.client_id ? (
                              <Badge tone="warn">client missing</Badge>
                            ) : connector ? (
                              <Badge tone="good">set up</Badge>
                            ) : (
                              <Badge plain>not set up</Badge>
                            )}
                          </div>
                          <p className="quiet small">{ways[kind]}</p>
                        </div>
                        <div>
                          <LinkButton
                            small
                            kind={connector ? 'normal' : 'primary'}
                            to={`/a/${application}/connectors/${kind}`}
                          >
                            {connector ? 'Open' : 'Set up'}
                            <span className="hidden"> {providerKinds[kind].title}</span>
                          </LinkButton>
                        </div>
                      </li>
                    )
                  })}
              </ul>
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}
