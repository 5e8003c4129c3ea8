import type { AuditEntry } from '@waypost/sdk'
import { useSearchParams } from 'wouter'
import { api } from '../api.ts'
import { Badge } from '../components/badge.tsx'
import { SelectField, TextField } from '../components/form.tsx'
import { Card, Page } from '../components/page.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { type Column, MoreRows, Table } from '../components/table.tsx'
import { Time } from '../components/time.tsx'
import { useApplications, usePages } from '../queries.ts'

const actors: Record<AuditEntry['actor'], string> = {
  session: 'Dashboard',
  password: 'API, with the password',
  command: 'waypost command',
}

export function Audit() {
  const [params, setParams] = useSearchParams()
  const applications = useApplications()
  const application = params.get('application') ?? ''
  const action = params.get('action') ?? ''
  const set = (name: string, value: string): void =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        if (value === '') after.delete(name)
        else after.set(name, value)
        return after
      },
      { replace: true },
    )
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
      <search className="filters">
        <TextField
          wide
          required={false}
          label="Action"
          name="action"
          type="search"
          placeholder="Such as apiKeys.create"
          value={action}
          onChange={(event) => set('action', event.currentTarget.value)}
        />
        <SelectField
          label="Application"
          name="application"
          value={application}
          onChange={(value) => set('application', value)}
          options={[
            ['', 'All'],
            ...(applications.data ?? []).map(
              ({ application_id, branding }) => [application_id, branding.name] as const,
            ),
          ]}
        />
      </search>
      <Card>
        <Loaded query={entries} lines={8}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="Nothing to show">
                {action || application ? 'No entry fits the filters.' : 'Changes are noted here as they are made.'}
              </Empty>
            ) : (
              <>
                <Table label="Audit" rows={rows} columns={columns} id={({ id }) => id} />
                <MoreRows shown={rows.length} one="entry" many="entries" more={entries} />
              </>
            )
          }
        </Loaded>
      </Card>
    </Page>
  )
}
