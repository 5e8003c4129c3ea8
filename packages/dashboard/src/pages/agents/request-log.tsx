/** The requests of a restricted API key or an agent, newest first. */
import type { CredentialRequest } from '@waypost/sdk'
import { Link } from 'wouter'
import { Badge } from '../../components/badge.tsx'
import { CopyButton } from '../../components/copy.tsx'
import { ChoiceFilter, Filters, TextFilter } from '../../components/filters.tsx'
import { ListTable } from '../../components/list.tsx'
import { Card } from '../../components/page.tsx'
import { Empty } from '../../components/states.tsx'
import type { Column } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { useListAddress } from '../../list/address.ts'
import { type PageOf, useServiceList } from '../../list/view.ts'

const outcomes = ['succeeded', 'failed'] as const
const filterNames = ['outcome', 'grant'] as const

export interface RequestQuery {
  outcome: (typeof outcomes)[number] | undefined
  grant_id: string | undefined
  page_token?: string
  limit: number
}

const tone = (status: number) => (status < 400 ? 'good' : status < 500 ? 'warn' : 'bad')

const columnsFor = (application: string): readonly Column<CredentialRequest>[] => [
  { title: 'When', kind: 'tight', cell: ({ time }) => <Time at={time} /> },
  {
    title: 'Operation',
    cell: ({ operation, tool, method }) => (
      <span className="main-cell">
        <code className="wrap">{tool ?? operation}</code>
        <span className="quiet small">{tool === null ? method : `Tool, through ${operation}`}</span>
      </span>
    ),
  },
  {
    title: 'Result',
    cell: ({ status, error }) => (
      <span className="main-cell">
        <Badge plain tone={tone(status)}>
          {status === 202 ? '202 accepted' : status}
        </Badge>
        {error && <code className="quiet small wrap">{error}</code>}
      </span>
    ),
  },
  {
    title: 'Grant',
    cell: ({ grant_id }) =>
      grant_id === null ? (
        <span className="quiet">–</span>
      ) : (
        <Link href={`/a/${application}/grants/${grant_id}`} className="wrap small">
          <code>{grant_id}</code>
        </Link>
      ),
  },
  {
    title: 'Request ID',
    kind: 'end tight',
    quiet: true,
    cell: ({ id }) => <CopyButton text={id} label={`Copy the request ID ${id}`} />,
  },
]

export function RequestLog({
  application,
  of,
  read,
}: {
  application: string
  /** The key of the query: the credential. */
  of: readonly unknown[]
  read(query: RequestQuery, signal: AbortSignal): Promise<PageOf<CredentialRequest>>
}) {
  const address = useListAddress({ by: 'time', order: 'desc' })
  const filters = {
    outcome: outcomes.find((each) => each === address.read('outcome')),
    grant_id: address.read('grant').trim() || undefined,
  }
  const view = useServiceList(
    [...of, 'requests', filters],
    address,
    (page, signal) => read({ ...filters, ...page }, signal),
    { refetchInterval: 10_000 },
  )
  const isFiltered = address.isFiltered(filterNames)
  return (
    <Card title="Requests" lead="Of the last 30 days, without contents.">
      <div className="card-body">
        <Filters names={filterNames}>
          <ChoiceFilter
            label="Result"
            name="outcome"
            options={[
              ['succeeded', 'Success'],
              ['failed', 'Refused or failed'],
            ]}
          />
          <TextFilter label="Grant" name="grant" placeholder="Grant ID" />
        </Filters>
      </div>
      <ListTable
        label="Requests"
        {...{ view, address }}
        one="request"
        columns={columnsFor(application)}
        id={({ id }) => id}
        none={
          isFiltered ? (
            <Empty title="No matching requests">Remove a filter to see more.</Empty>
          ) : (
            <Empty title="No requests yet">They appear here a second after they were answered.</Empty>
          )
        }
      />
    </Card>
  )
}
