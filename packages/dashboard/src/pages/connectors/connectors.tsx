import { type ProviderKind, providerKinds } from '@waypost/sdk'
import { Badge } from '../../components/badge.tsx'
import { LinkButton } from '../../components/button.tsx'
import { Page } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { useConnectors, useGuides } from '../../queries.ts'
import { kinds, needsClient } from './kinds.ts'
import { Simulators } from './simulators.tsx'

/** How people connect accounts of each kind. */
const ways: Record<ProviderKind, string> = {
  google: 'People sign in at Google, through your client there.',
  microsoft: 'People sign in at Microsoft, through your registration there.',
  imap: 'Any mailbox: people give their address and password.',
  icloud: 'People give an app-specific password.',
  yahoo: 'People give an app password, or sign in through your client.',
  ews: 'Exchange servers of organisations: a user name and a password.',
  'virtual-calendar': 'Kept by the service itself: nothing to set up.',
  zoom: 'Known by name alone.',
}

export function Connectors({ application }: { application: string }) {
  const connectors = useConnectors(application)
  const guides = useGuides(application)
  return (
    <Page
      title="Connectors"
      lead="One for each provider whose accounts people may connect. It holds your client at the provider, where there is one."
    >
      <Simulators application={application} />
      <Loaded query={connectors}>
        {(made) => (
          <ul className="providers">
            {kinds.map((kind) => {
              const connector = made.find(({ provider }) => provider === kind)
              const available = guides.data?.find(({ provider }) => provider === kind)?.available ?? true
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
                        <Badge plain>{available ? 'not set up' : 'not available yet'}</Badge>
                      )}
                    </div>
                    <p className="quiet small">{ways[kind]}</p>
                  </div>
                  <div>
                    <LinkButton
                      small
                      kind={connector || !available ? 'normal' : 'primary'}
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
    </Page>
  )
}
