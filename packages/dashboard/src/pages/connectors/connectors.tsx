import { providerKinds } from '@waypost/sdk'
import { Badge } from '../../components/badge.tsx'
import { LinkButton } from '../../components/button.tsx'
import { Page } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { useConnectors, useGuides } from '../../queries.ts'
import { kinds, needsClient } from './kinds.ts'

export function Connectors({ application }: { application: string }) {
  const connectors = useConnectors(application)
  const guides = useGuides(application)
  return (
    <Page
      title="Connectors"
      lead="One for each provider whose accounts people may connect. It holds your client at the provider, where there is one."
    >
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
                      {connector && needsClient(kind) && !connector.settings.client_id ? (
                        <Badge tone="warn">client missing</Badge>
                      ) : connector ? (
                        <Badge tone="good">set up</Badge>
                      ) : (
                        <Badge plain>{available ? 'not set up' : 'not available yet'}</Badge>
                      )}
                    </div>
                    <p className="quiet small">
                      {needsClient(kind)
                        ? 'People sign in at the provider, through your client there.'
                        : kind === 'virtual-calendar'
                          ? 'Kept by the service itself: nothing to set up.'
                          : 'People give a user name and a password.'}
                    </p>
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
