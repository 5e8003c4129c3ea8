/** Actions of restricted API keys and agents that wait for a person, and those that were decided. */
import type { Approval } from '@waypost/sdk'
import { Link } from 'wouter'
import { api } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { CustomerData } from '../../components/customer-data.tsx'
import { ChoiceFilter, Filters, TextFilter } from '../../components/filters.tsx'
import { ListTable } from '../../components/list.tsx'
import { Card, Page, Tabs } from '../../components/page.tsx'
import { Empty } from '../../components/states.tsx'
import type { Column } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { visibleText } from '../../foreign-text.ts'
import { useFilters, useListAddress } from '../../list/address.ts'
import { type ReadPage, useServiceList } from '../../list/view.ts'
import { approvalsKey } from '../../queries.ts'
import { sayAction, sayRequester, stateOf, states } from './approval-words.ts'
import { useLiveApprovals } from './data.ts'
import '../../styles/agents.css'

const filterNames = ['status', 'grant', 'credential'] as const

const recipientsOf = ({ preview }: Approval): string => {
  const [first, ...others] = preview.recipients
  if (!first) return ''
  return others.length > 0 ? `${first.email} and ${others.length} more` : first.email
}

const columnsFor = (application: string, isHistory: boolean): readonly Column<Approval>[] => [
  {
    title: 'Action',
    cell: (approval) => (
      <span className="main-cell wrap">
        <Link href={`/a/${application}/approvals/${approval.id}`}>{sayAction(approval)}</Link>
        {approval.preview.subject && <span>{visibleText(approval.preview.subject)}</span>}
        {recipientsOf(approval) && <span className="quiet">To {visibleText(recipientsOf(approval))}</span>}
      </span>
    ),
  },
  {
    title: 'Requested by',
    cell: ({ requested_by, created_at }) => (
      <span className="main-cell wrap">
        {sayRequester(requested_by)}
        <span className="quiet">
          <Time at={created_at} />
        </span>
      </span>
    ),
  },
  isHistory
    ? {
        title: 'State',
        cell: ({ status, decided_by, decided_at }) => {
          const { text, tone } = stateOf(status)
          return (
            <span className="main-cell wrap">
              <Badge tone={tone}>{text}</Badge>
              {decided_at !== null && (
                <span className="quiet small">
                  <Time at={decided_at} /> {decided_by && `by ${decided_by}`}
                </span>
              )}
            </span>
          )
        },
      }
    : { title: 'Expires', kind: 'tight', cell: ({ expires_at }) => <Time at={expires_at} /> },
]

function HistoryFilters() {
  return (
    <Filters names={filterNames}>
      <ChoiceFilter label="State" name="status" options={states.map(([status, text]) => [status, text] as const)} />
      <TextFilter label="Grant" name="grant" placeholder="Grant ID" />
      <TextFilter label="Requested by" name="credential" placeholder="ID of the API key or agent" />
    </Filters>
  )
}

function List({ application, isHistory }: { application: string; isHistory: boolean }) {
  const address = useListAddress({ by: 'created_at', order: 'desc' })
  const filters = isHistory
    ? {
        status: states.find(([status]) => status === address.read('status'))?.[0],
        grant_id: address.read('grant').trim() || undefined,
        credential_id: address.read('credential').trim() || undefined,
      }
    : { status: 'pending' as const }
  const read: ReadPage<Approval> = (page, signal) =>
    api(application).approvals.list({ query: { ...filters, ...page }, signal })
  const view = useServiceList(approvalsKey(application, 'list', filters), address, read, { refetchInterval: 30_000 })
  useLiveApprovals(application)
  const isFiltered = address.isFiltered(filterNames)
  return (
    <>
      {isHistory && <HistoryFilters />}
      <Card>
        <ListTable
          label="Approvals"
          {...{ view, address }}
          one="approval"
          columns={columnsFor(application, isHistory)}
          id={({ id }) => id}
          none={
            isHistory && isFiltered ? (
              <Empty title="No matching approvals">Remove a filter to see more.</Empty>
            ) : isHistory ? (
              <Empty title="No approvals yet">Actions that were approved, rejected or expired appear here.</Empty>
            ) : (
              <Empty title="Nothing waits for approval">
                When an agent or a restricted API key wants to send, delete or invite, it appears here first.
              </Empty>
            )
          }
        />
      </Card>
    </>
  )
}

export function Approvals({ application }: { application: string }) {
  const isHistory = useFilters().read('view') === 'history'
  const at = `/a/${application}/approvals`
  return (
    <Page title="Approvals" lead="Agents and restricted API keys act only after a person has agreed.">
      <Tabs
        label="Approvals"
        tabs={[
          { to: at, text: 'Waiting', current: !isHistory },
          { to: `${at}?view=history`, text: 'History', current: isHistory },
        ]}
      />
      <CustomerData of={undefined}>
        <List key={String(isHistory)} {...{ application, isHistory }} />
      </CustomerData>
    </Page>
  )
}
