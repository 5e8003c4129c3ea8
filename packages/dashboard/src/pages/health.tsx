import { useQuery } from '@tanstack/react-query'
import type { HealthFigures, ServiceHealth } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../api.ts'
import { Badge } from '../components/badge.tsx'
import { LineChart, type Series } from '../components/chart.tsx'
import { SelectField } from '../components/form.tsx'
import { Card, Page, Tiles } from '../components/page.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { Table } from '../components/table.tsx'
import { Time } from '../components/time.tsx'
import { clockTime, count, now } from '../format.ts'

/** A node writes that it is there every few seconds; this long without a word, and it is not. */
const silentSeconds = 90

function Nodes({ nodes }: { nodes: ServiceHealth['nodes'] }) {
  return (
    <Card title="Nodes">
      {nodes.length === 0 ? (
        <Empty title="No node has reported yet">Each does once a minute.</Empty>
      ) : (
        <Table
          label="Nodes"
          rows={nodes}
          id={({ id }) => id}
          columns={[
            { title: 'Node', cell: ({ id }) => <code className="wrap">{id}</code> },
            {
              title: 'State',
              cell: ({ seen_at }) =>
                now() - seen_at < silentSeconds ? <Badge tone="good">up</Badge> : <Badge tone="bad">silent</Badge>,
            },
            { title: 'Work', cell: ({ roles }) => roles.join(', ') },
            { title: 'Watched grants', kind: 'end', cell: ({ watched_grants }) => count(watched_grants) },
            { title: 'Last seen', kind: 'tight', cell: ({ seen_at }) => <Time at={seen_at} /> },
            { title: 'Started', kind: 'tight', cell: ({ started_at }) => <Time at={started_at} /> },
          ]}
        />
      )}
    </Card>
  )
}

type Figure = Exclude<keyof HealthFigures, 'at'>
interface Shown {
  title: string
  unit?: string
  lines: readonly (readonly [field: Figure, name: string, colour: Series['colour']])[]
}

const charts: readonly Shown[] = [
  {
    title: 'Requests',
    lines: [
      ['requests', 'All', 1],
      ['errors', 'Answered 5xx', 2],
    ],
  },
  {
    title: 'Time to answer',
    unit: 'ms',
    lines: [
      ['latency_p50_ms', 'Median', 1],
      ['latency_p95_ms', '95th percentile', 4],
    ],
  },
  {
    title: 'Deliveries',
    lines: [
      ['deliveries', 'Delivered', 3],
      ['delivery_failures', 'Failed', 2],
    ],
  },
  { title: 'Time to deliver', unit: 'ms', lines: [['delivery_p50_ms', 'Median', 1]] },
  { title: 'Errors of providers', lines: [['provider_errors', 'Errors', 2]] },
  { title: 'Watched grants', lines: [['watched_grants', 'Grants', 6]] },
]

function Charts({ figures }: { figures: readonly HealthFigures[] }) {
  const labels = figures.map(({ at }) => clockTime(at))
  return (
    <div className="columns">
      {charts.map(({ title, unit, lines }) => (
        <Card key={title}>
          <div className="card-body">
            <LineChart
              title={title}
              unit={unit}
              labels={labels}
              series={lines.map(([field, name, colour]) => ({
                name,
                colour,
                values: figures.map((figure) => figure[field]),
              }))}
            />
          </div>
        </Card>
      ))}
    </div>
  )
}

export function Health() {
  const [hours, setHours] = useState('6')
  const state = useQuery({
    queryKey: ['health'],
    queryFn: async ({ signal }) => (await api().health.get({ signal })).data,
    refetchInterval: 10_000,
  })
  const series = useQuery({
    queryKey: ['health', 'series', hours],
    queryFn: async ({ signal }) => (await api().health.series({ query: { hours: Number(hours) }, signal })).data,
    refetchInterval: 60_000,
    placeholderData: (before) => before,
  })
  return (
    <Page title="Health" lead="How the whole service fares, over all nodes and applications.">
      <Loaded query={state}>
        {({ nodes, outbox_jobs, deliveries_waiting, sends_waiting, grants, destinations }) => (
          <>
            <Tiles
              tiles={[
                ['Deliveries waiting', count(deliveries_waiting)],
                ['Messages to be sent', count(sends_waiting)],
                ['Other jobs waiting', count(outbox_jobs)],
                ['Grants', count(grants.valid)],
                ['Grants without access', count(grants.invalid)],
                ['Destinations in trouble', count(destinations.failing + destinations.failed)],
              ]}
            />
            <Nodes nodes={nodes} />
          </>
        )}
      </Loaded>
      <div className="split">
        <h2>Over time</h2>
        <SelectField
          label="Range"
          name="hours"
          value={hours}
          onChange={setHours}
          options={[
            ['1', 'Last hour'],
            ['6', 'Last 6 hours'],
            ['24', 'Last 24 hours'],
            ['48', 'Last 48 hours'],
          ]}
        />
      </div>
      <Loaded query={series} lines={10}>
        {(figures) => <Charts figures={figures} />}
      </Loaded>
    </Page>
  )
}
