/** Requests and errors by provider, with the last error of each. */
import type { ApplicationOverview } from '@waypost/sdk'
import { Link } from 'wouter'
import { Card } from '../../components/page.tsx'
import { Empty } from '../../components/states.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { count } from '../../format.ts'
import { providerTitle } from '../connectors/kinds.ts'

type Provider = ApplicationOverview['providers'][number]

function LastError({ application, error }: { application: string; error: Provider['last_error'] }) {
  if (!error) return <span className="quiet">none</span>
  return (
    <span className="main-cell wrap">
      <Link href={`/a/${application}/grants/${error.grant_id}/timeline?kind=errors`}>{error.message}</Link>
      <span className="quiet small">
        <code>{error.operation}</code> <Time at={error.at} />
      </span>
    </span>
  )
}

export function Providers({ application, providers }: { application: string; providers: readonly Provider[] }) {
  return (
    <Card title="By provider" lead="Requests by provider, and errors caused by the provider.">
      {providers.length === 0 ? (
        <Empty title="No requests in this period">
          Requests from your services are counted here. Dashboard requests are not.
        </Empty>
      ) : (
        <Table
          label="By provider"
          rows={providers}
          id={({ provider }) => provider}
          columns={[
            {
              title: 'Provider',
              cell: ({ provider }) => (
                <Link href={`/a/${application}/connectors/${provider}`}>{providerTitle(provider)}</Link>
              ),
            },
            { title: 'Requests', kind: 'end tight', cell: ({ requests }) => count(requests) },
            { title: 'Errors', kind: 'end tight', cell: ({ errors }) => count(errors) },
            {
              title: 'Last error',
              cell: ({ last_error }) => <LastError application={application} error={last_error} />,
            },
          ]}
        />
      )}
    </Card>
  )
}
