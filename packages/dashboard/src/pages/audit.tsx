import type { AuditEntry } from '@waypost/sdk'
import { api } from '../api.ts'
import { Badge } from '../components/badge.tsx'
import { ChoiceFilter, Filters, TextFilter, useFilters } from '../components/filters.tsx'
import { Card, Page } from '../components/page.tsx'
import { Empty } from '../components/states.tsx'
import { type Column, PagedTable } from '../components/table.tsx'
import { Time } from '../components/time.tsx'
import { useApplications, usePages } from '../queries.ts'

const actors: Record<AuditEntry['actor'], string> = {
  session: 'Dashboard',
  password: 'API, with the password',
  command: 'waypost command',
}

export function Audit() {
  const filters = useFilters()
  const applications = useApplications()
  const application = filters.read('application')
  const action = filters.read('action')
  const entries = usePages(['audit', application, action], (page_token, signal) =>
    api().audit.list({
      query: { page_token, application_id: application || undefined, action: action.trim() || undefined },
      signal,
    }),
  )
  const nameOf = (id: string): string =>
    applications.data?.find(({ application_id }) => application_id === id)?.branding.name ?? id
  const columns: readonly Column<AuditEntry>[] = [
    { title: 'When', kind: 'tight', cell: ({ at }) => <Time at={at} /> },
    {
      title: 'What',
      cell: ({ action: name, target }) => (
        <span className="main-cell">
          <code>{name}</code>
          {target && <code className="quiet small wrap">{target}</code>}
        </span>
      ),
    },
    {
      title: 'Application',
      cell: ({ application_id }) => (
        <span className="wrap">{application_id === null ? '–' : nameOf(application_id)}</span>
      ),
    },
    {
      title: 'Through',
      cell: ({ actor, address }) => (
        <span className="main-cell">
          {actors[actor]}
          {address && <code className="quiet small">{address}</code>}
        </span>
      ),
    },
    {
      title: 'Answer',
      kind: 'end tight',
      cell: ({ status }) => (
        <Badge plain tone={status < 400 ? 'good' : 'bad'}>
          {status}
        </Badge>
      ),
    },
  ]
  return (
    <Page title="Audit" lead="Who changed what, sign-ins and failed ones too. Kept for a year.">
      <Filters>
        <TextFilter label="Action" name="action" placeholder="Such as apiKeys.create" />
        <ChoiceFilter
          label="Application"
          name="application"
          options={(applications.data ?? []).map(
            ({ application_id, branding }) => [application_id, branding.name] as const,
          )}
        />
      </Filters>
      <Card>
        <PagedTable
          label="Audit"
          query={entries}
          lines={8}
          columns={columns}
          id={({ id }) => id}
          one="entry"
          many="entries"
          none={
            <Empty title="Nothing to show">
              {action || application ? 'No entry fits the filters.' : 'Changes are noted here as they are made.'}
            </Empty>
          }
        />
      </Card>
    </Page>
  )
}
