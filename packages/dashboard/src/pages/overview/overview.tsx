/** The status of an application and what to do next. */
import { type ApplicationOverview, type ApplicationSummary, WaypostError } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { CopyText } from '../../components/copy.tsx'
import { Card, Facts, Page, Tiles } from '../../components/page.tsx'
import { ErrorNote, Loaded } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'
import { capped, count } from '../../format.ts'
import { useApplicationSummary, useData } from '../../queries.ts'
import '../../styles/overview.css'
import { Destinations } from './destinations.tsx'
import { Expired } from './expired.tsx'
import { GettingStarted } from './getting-started.tsx'
import { Providers } from './providers.tsx'
import { Recent } from './recent.tsx'
import { Traffic } from './traffic.tsx'
import { Verdict } from './verdict.tsx'

export function Overview({ application }: { application: string }) {
  const [hours, setHours] = useState('24')
  const summary = useApplicationSummary(application)
  const found = summary.data
  const overview = useData(
    ['overview', application, hours],
    (signal) => api().overview.get({ application_id: application, query: { hours: Number(hours) }, signal }),
    { refetchInterval: 15_000, placeholderData: (before) => before },
  )
  if (summary.error instanceof WaypostError && summary.error.status === 404) {
    return (
      <Page title="Unknown application">
        <ErrorNote error={new Error('No application has this ID. Choose another one on the left.')} />
      </Page>
    )
  }
  return (
    <Page title={found?.branding.name ?? 'Overview'} lead={found?.branding.description ?? undefined}>
      <Loaded query={overview} lines={8}>
        {(data) => (
          <>
            <Verdict application={application} overview={data} />
            <GettingStarted application={application} grants={found?.grant_count ?? 0} />
            <Figures overview={data} application={found} />
            <Traffic overview={data} hours={hours} onHours={setHours} />
            <Providers application={application} providers={data.providers} />
            <div className="columns">
              <Expired application={application} overview={data} />
              <Recent application={application} recent={data.recent} />
            </div>
            <Destinations application={application} destinations={data.destinations} />
          </>
        )}
      </Loaded>
      <Card title="Details">
        <Loaded query={summary} lines={3}>
          {() => found && <ApplicationFacts application={found} />}
        </Loaded>
      </Card>
    </Page>
  )
}

function Figures({
  overview,
  application,
}: {
  overview: ApplicationOverview
  application: ApplicationSummary | undefined
}) {
  const { traffic, grants, destinations } = overview
  const total = (of: 'requests' | 'errors'): number => traffic.reduce((sum, step) => sum + step[of], 0)
  const limit = application?.grant_limit
  const waiting = destinations.reduce((sum, each) => sum + each.waiting, 0)
  const due = destinations.flatMap(({ due_since }) => due_since ?? [])
  return (
    <Tiles
      tiles={[
        ['Requests', count(total('requests'))],
        ['Failed', count(total('errors'))],
        [
          'Grants',
          application ? `${count(application.grant_count)}${typeof limit === 'number' ? ` of ${limit}` : ''}` : '…',
        ],
        ['Invalid grants', capped(grants.invalid)],
        ['Waiting', capped(waiting)],
        [
          'Due since',
          <Time
            key="due"
            at={due.length > 0 ? Math.min(...due) : undefined}
            none={waiting > 0 ? 'retry later' : 'none due'}
          />,
          true,
        ],
      ]}
    />
  )
}

function ApplicationFacts({ application }: { application: ApplicationSummary }) {
  const { application_id: id, environment, region, created_at, grant_limit: limit } = application
  return (
    <div className="card-body stack">
      <Facts
        rows={[
          ['Application ID', <CopyText key="id" inline text={id} label="Copy application ID" />],
          ['Environment', environment],
          ['Region', region],
          ['Created', <Time key="at" at={created_at} />],
        ]}
      />
      {typeof limit === 'number' && (
        <p className="quiet small">
          This is the sandbox. It allows up to {limit} grants. Its connectors take your own client, but their scopes are
          fixed and the sandbox keeps them, so that examples always work. For other scopes or more grants, create your
          own application.
        </p>
      )}
    </div>
  )
}
