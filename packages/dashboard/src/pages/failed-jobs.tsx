/** Background jobs that failed permanently: the reason, the remedy, Retry and Discard. */
import type { FailedJob } from '@waypost/sdk'
import { api } from '../api.ts'
import { ApplicationChoice } from '../components/application-choice.tsx'
import { Badge } from '../components/badge.tsx'
import { Bulk, type BulkAction } from '../components/bulk.tsx'
import { ActionButton, ConfirmButton } from '../components/dialog.tsx'
import { ExportButton } from '../components/export.tsx'
import { ChoiceFilter, CopyLink, Filters, TextFilter } from '../components/filters.tsx'
import { ListTable } from '../components/list.tsx'
import { Card, Page } from '../components/page.tsx'
import { Empty } from '../components/states.tsx'
import type { Column } from '../components/table.tsx'
import { Time } from '../components/time.tsx'
import { useListAddress } from '../list/address.ts'
import { type ExportColumn, isoTime } from '../list/export-format.ts'
import { useSelection } from '../list/selection.ts'
import { type ReadPage, useServiceList } from '../list/view.ts'
import { refresh, useApplicationNames } from '../queries.ts'

const filterNames = ['application', 'kind', 'grant'] as const
const kinds: readonly (readonly [kind: string, name: string])[] = [
  ['mail.send', 'Mail of the service'],
  ['invitations.send', 'Mail to guests from an account'],
  ['invitations.check', 'Interrupted change of an event'],
  ['itip.receive', 'Invitation in a received mail'],
  ['provider.revoke', 'End of access at a provider'],
  ['calendars.remove', 'Removal of a deleted calendar'],
  ['store.leftovers', 'Remaining rows of deleted objects'],
]

const exportColumns: readonly ExportColumn<FailedJob>[] = [
  ['failed_at', ({ failed_at }) => isoTime(failed_at)],
  ['kind', ({ kind }) => kind],
  ['application_id', ({ application_id }) => application_id],
  ['grant_id', ({ grant_id }) => grant_id],
  ['error', ({ error }) => error],
  ['message', ({ message }) => message],
  ['attempts', ({ attempts }) => attempts],
  ['created_at', ({ created_at }) => isoTime(created_at)],
  ['id', ({ id }) => id],
]

/** Jobs of several applications can be selected together, so a selected job is named by both ids. */
const keyOf = ({ application_id, id }: FailedJob): string => `${application_id} ${id}`
const targetOf = (job: FailedJob) => ({ id: keyOf(job), name: job.purpose })
const addressOf = (key: string): { application_id: string; id: string } => {
  const [application_id = '', id = ''] = key.split(' ')
  return { application_id, id }
}

const reload = (): Promise<unknown> => Promise.all([refresh('failed-jobs'), refresh('overview'), refresh('health')])

const bulkActions: readonly BulkAction[] = [
  {
    label: 'Retry',
    done: 'retried',
    act: (key) => api().failedJobs.retry(addressOf(key)),
    children: <p>Each job runs again now, with all its attempts. A job that fails again returns to this list.</p>,
  },
  {
    label: 'Discard',
    done: 'discarded',
    danger: true,
    isFinal: true,
    act: (key) => api().failedJobs.discard(addressOf(key)),
    children: <p>These jobs are deleted and never done. This cannot be undone.</p>,
  },
]

const RowActions = ({ job }: { job: FailedJob }) => (
  <div className="actions">
    <ActionButton
      small
      changes
      label="Retry"
      busyLabel="Retrying…"
      onAct={() => api().failedJobs.retry(addressOf(keyOf(job)))}
      reload={reload}
      done="The job runs again. It returns to this list if it fails again."
    />
    <ConfirmButton
      small
      label="Discard"
      title="Discard this job?"
      confirm="Discard job"
      onConfirm={() => api().failedJobs.discard(addressOf(keyOf(job)))}
      reload={reload}
      done="The job was discarded"
    >
      <p>{job.purpose}: this will not be done. The job is deleted. This cannot be undone.</p>
    </ConfirmButton>
  </div>
)

const columnsWith = (nameOf: (id: string) => string): readonly Column<FailedJob>[] => [
  { title: 'Failed', kind: 'tight', cell: ({ failed_at }) => <Time at={failed_at} /> },
  {
    title: 'Job',
    cell: ({ purpose, kind, grant_id }) => (
      <span className="main-cell wrap">
        {purpose}
        <code className="quiet small">{kind}</code>
        {grant_id && <code className="quiet small wrap">{grant_id}</code>}
      </span>
    ),
  },
  { title: 'Application', cell: ({ application_id }) => <span className="wrap">{nameOf(application_id)}</span> },
  {
    title: 'Reason and remedy',
    cell: ({ error, message, remedy, attempts }) => (
      <span className="main-cell wrap">
        <span>
          <Badge plain tone="bad">
            {error}
          </Badge>{' '}
          {message}
        </span>
        <span className="quiet small">
          {remedy} {attempts} attempts.
        </span>
      </span>
    ),
  },
]

export function FailedJobs() {
  const address = useListAddress({ by: 'failed_at', order: 'desc' })
  const filters = {
    application_id: address.read('application') || undefined,
    kind: address.read('kind') || undefined,
    grant_id: address.read('grant').trim() || undefined,
  }
  const read: ReadPage<FailedJob> = (page, signal) => api().failedJobs.list({ query: { ...filters, ...page }, signal })
  const view = useServiceList(['failed-jobs', filters], address, read, { refetchInterval: 30_000 })
  const names = useApplicationNames([...new Set((view.rows ?? []).map((job) => job.application_id))].sort())
  const selection = useSelection<FailedJob>(keyOf, JSON.stringify(filters))
  const words = { one: 'job' }
  const isFiltered = address.isFiltered(filterNames)
  return (
    <Page
      title="Failed jobs"
      lead="Background work that failed ten times within a day and is not tried again. Jobs are deleted after 30 days."
    >
      <Filters
        names={filterNames}
        tools={
          <>
            <CopyLink />
            <ExportButton name="failed-jobs" {...words} columns={exportColumns} read={read} />
          </>
        }
      >
        <ApplicationChoice
          label="Application"
          none="All applications"
          value={address.read('application')}
          onChoose={(id) => address.set({ application: id })}
        />
        <ChoiceFilter label="Kind" name="kind" options={kinds} />
        <TextFilter label="Grant" name="grant" placeholder="Grant ID" />
      </Filters>
      <Card>
        <ListTable
          label="Failed jobs"
          {...{ view, address, selection, ...words }}
          columns={columnsWith((id) => names.data?.get(id) ?? id)}
          id={keyOf}
          nameOf={({ purpose }) => purpose}
          actions={(job) => <RowActions job={job} />}
          none={
            <Empty title={isFiltered ? 'No matching jobs' : 'No failed jobs'}>
              {isFiltered ? 'Remove a filter to see more.' : 'All background work was done, or is still being tried.'}
            </Empty>
          }
          bulk={
            <Bulk
              {...{ selection, targetOf, ...words }}
              total={view.total}
              everything={async () => (view.rows ?? []).map(targetOf)}
              onChanged={reload}
              actions={bulkActions}
            />
          }
        />
      </Card>
    </Page>
  )
}
