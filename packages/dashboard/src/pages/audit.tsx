/** The audit log with filters by action, actor, application and time. */
import type { AuditEntry } from '@waypost/sdk'
import type { ReactNode } from 'react'
import { api } from '../api.ts'
import { ApplicationChoice } from '../components/application-choice.tsx'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { CopyText } from '../components/copy.tsx'
import { Dialog } from '../components/dialog.tsx'
import { ExportButton } from '../components/export.tsx'
import { ChoiceFilter, CopyLink, DayFilter, Filters, TextFilter } from '../components/filters.tsx'
import { ListTable } from '../components/list.tsx'
import { Card, Facts, Page } from '../components/page.tsx'
import { Empty } from '../components/states.tsx'
import type { Column } from '../components/table.tsx'
import { Time } from '../components/time.tsx'
import { exactTime } from '../format.ts'
import { daysOf, type ListAddress, useFilters, useListAddress } from '../list/address.ts'
import { type ExportColumn, isoTime } from '../list/export-format.ts'
import { type ReadPage, useServiceList } from '../list/view.ts'
import { useApplicationNames, useData } from '../queries.ts'
import { useRights } from '../rights.ts'

const actors: Record<AuditEntry['actor'], string> = {
  session: 'Dashboard',
  password: 'API with password',
  command: 'waypost command',
  service_account: 'Service account',
}
const kinds = ['change', 'read'] as const
const outcomes = ['done', 'refused'] as const
const filterNames = [
  'action',
  'application',
  'person',
  'kind',
  'outcome',
  'actor',
  'target',
  'grant',
  'from',
  'to',
] as const

/** The typed text is a prefix: `apiKeys` finds `apiKeys.create`. */
const actionOf = (typed: string): string | undefined =>
  typed === '' ? undefined : typed.endsWith('*') ? typed : `${typed}*`

function filtersOf({ read }: Pick<ListAddress, 'read'>) {
  return {
    action: actionOf(read('action').trim()),
    application_id: read('application') || undefined,
    kind: kinds.find((each) => each === read('kind')),
    outcome: outcomes.find((each) => each === read('outcome')),
    actor: (Object.keys(actors) as AuditEntry['actor'][]).find((each) => each === read('actor')),
    person_id: read('person') || undefined,
    target: read('target').trim() || undefined,
    grant_id: read('grant').trim() || undefined,
    ...daysOf(read('from'), read('to')),
  }
}

const exportColumns: readonly ExportColumn<AuditEntry>[] = [
  ['at', ({ at }) => isoTime(at)],
  ['action', ({ action }) => action],
  ['kind', ({ kind }) => kind],
  ['status', ({ status }) => status],
  ['application_id', ({ application_id }) => application_id],
  ['target', ({ target }) => target],
  ['grant_id', ({ grant_id }) => grant_id],
  ['person', ({ person_name }) => person_name],
  ['person_id', ({ person_id }) => person_id],
  ['actor', ({ actor }) => actor],
  ['address', ({ address }) => address],
  ['id', ({ id }) => id],
]

const Outcome = ({ status }: { status: number }) => (
  <Badge plain tone={status < 400 ? 'good' : 'bad'}>
    {status}
  </Badge>
)

/** People for the actor filter, if the user may list them. */
function usePeople(): readonly (readonly [id: string, name: string])[] | undefined {
  const rights = useRights()
  const people = useData(['people', 'names'], (signal) => api().people.list({ query: { limit: 200 }, signal }), {
    enabled: rights.people,
  })
  return people.data && people.data.length > 0 ? people.data.map(({ id, name }) => [id, name] as const) : undefined
}

function AuditFilters({ tools }: { tools: ReactNode }) {
  const { read, set } = useFilters()
  const people = usePeople()
  return (
    <Filters
      names={filterNames}
      tools={tools}
      more={
        <>
          <ChoiceFilter
            label="Kind"
            name="kind"
            options={[
              ['change', 'Changes'],
              ['read', 'Customer data access'],
            ]}
          />
          <ChoiceFilter
            label="Result"
            name="outcome"
            options={[
              ['done', 'Success'],
              ['refused', 'Refused'],
            ]}
          />
          {people && <ChoiceFilter label="Person" name="person" options={people} />}
          <ChoiceFilter label="Source" name="actor" options={Object.entries(actors)} />
          <TextFilter label="Object" name="target" placeholder="Id" />
          <TextFilter label="Grant" name="grant" placeholder="Grant ID" />
        </>
      }
    >
      <TextFilter label="Action" name="action" placeholder="Such as apiKeys or apiKeys.create" />
      <ApplicationChoice
        label="Affected application"
        none="All applications"
        value={read('application')}
        onChoose={(id) => set({ application: id })}
      />
      <DayFilter label="From" name="from" />
      <DayFilter label="To" name="to" />
    </Filters>
  )
}

export function Audit() {
  const address = useListAddress({ by: 'at', order: 'desc' })
  const filters = filtersOf(address)
  const read: ReadPage<AuditEntry> = (page, signal) =>
    api().audit.list({ query: { ...filters, ...page, order: address.sort.order }, signal })
  const view = useServiceList(['audit', filters], address, read)
  const ids = [...new Set((view.rows ?? []).flatMap(({ application_id }) => application_id ?? []))].sort()
  const names = useApplicationNames(ids)
  const nameOf = (id: string): string => names.data?.get(id) ?? id
  const open = (id: string): void => address.show('open', id)
  const opened = view.rows?.find(({ id }) => id === address.read('open'))
  const columns: readonly Column<AuditEntry>[] = [
    { title: 'When', sort: 'at', kind: 'tight', cell: ({ at }) => <Time at={at} /> },
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
      title: 'Who',
      cell: ({ actor, address: from, person_name }) => (
        <span className="main-cell wrap">
          {person_name ?? actors[actor]}
          {from && <code className="quiet small">{from}</code>}
        </span>
      ),
    },
    { title: 'Result', kind: 'end tight', cell: ({ status }) => <Outcome status={status} /> },
  ]
  const words = { one: 'entry', many: 'entries' }
  const isFiltered = address.isFiltered(filterNames)
  return (
    <Page title="Audit" lead="Changes and sign-in attempts with their actors. Entries are retained for one year.">
      <AuditFilters
        tools={
          <>
            <CopyLink />
            <ExportButton name="audit" {...words} columns={exportColumns} read={read} />
          </>
        }
      />
      <Card>
        <ListTable
          label="Audit"
          {...{ view, address, columns, ...words }}
          id={({ id }) => id}
          actions={({ id, action }) => (
            <Button small kind="plain" aria-label={`Show ${action}`} onClick={() => open(id)}>
              Show
            </Button>
          )}
          none={
            <Empty title="No entries">
              {isFiltered ? 'No entry matches the filters.' : 'Changes appear here as they happen.'}
            </Empty>
          }
        />
      </Card>
      {opened && <Entry entry={opened} nameOf={nameOf} onClose={() => open('')} />}
    </Page>
  )
}

function Entry({ entry, nameOf, onClose }: { entry: AuditEntry; nameOf(id: string): string; onClose(): void }) {
  const id = (text: string | null, label: string) =>
    text === null ? '–' : <CopyText inline text={text} label={label} />
  return (
    <Dialog title={entry.action} onClose={onClose}>
      <Facts
        rows={[
          ['When', exactTime(entry.at)],
          ['Result', <Outcome key="status" status={entry.status} />],
          ['Application', entry.application_id === null ? '–' : nameOf(entry.application_id)],
          ['Object', id(entry.target, 'Copy object ID')],
          ['Grant', id(entry.grant_id, 'Copy grant ID')],
          ['Who', entry.person_name ?? '–'],
          ['Source', actors[entry.actor]],
          ['Address', entry.address ?? '–'],
          ['Entry', id(entry.id, 'Copy entry ID')],
        ]}
      />
      <p>
        <CopyLink />
      </p>
    </Dialog>
  )
}
