import type { HealthFigures } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { LineChart, type Series } from '../../components/chart.tsx'
import { SelectField } from '../../components/form.tsx'
import { Card, Page, Tiles } from '../../components/page.tsx'
import { RangeField } from '../../components/range.tsx'
import { Loaded } from '../../components/states.tsx'
import { clockTime, count, sayStep } from '../../format.ts'
import { useData } from '../../queries.ts'
import { Nodes, nodeName } from './nodes.tsx'

type Figure = Exclude<keyof HealthFigures, 'at'>
interface HealthView {
  title: string
  /** Unit of the figures; with `isRate`, per step of the chart. */
  unit: string
  isRate?: true
  /** Divisor for display. */
  scale?: number
  lines: readonly (readonly [field: Figure, name: string, color: Series['color']])[]
}

const charts: readonly HealthView[] = [
  {
    title: 'Requests',
    unit: 'requests',
    isRate: true,
    lines: [
      ['requests', 'All', 1],
      ['errors', 'Failed (5xx)', 2],
    ],
  },
  {
    title: 'Response time',
    unit: 'ms',
    lines: [
      ['latency_p50_ms', 'Median', 1],
      ['latency_p95_ms', '95th percentile', 4],
    ],
  },
  {
    title: 'Deliveries',
    unit: 'deliveries',
    isRate: true,
    lines: [
      ['deliveries', 'Delivered', 3],
      ['delivery_failures', 'Failed', 2],
    ],
  },
  { title: 'Delivery time', unit: 'ms', lines: [['delivery_p50_ms', 'Median', 1]] },
  { title: 'Provider errors', unit: 'errors', isRate: true, lines: [['provider_errors', 'Errors', 2]] },
  { title: 'Watched grants', unit: 'grants', lines: [['watched_grants', 'Grants', 6]] },
  { title: 'Memory', unit: 'MB', scale: 1_000_000, lines: [['memory_bytes', 'Used', 5]] },
]

/** Null means that the node has not measured it yet, which is not the same as 0. */
const scaled = (value: number | null, scale: number): number | null =>
  scale === 1 ? value : value ? Math.round(value / scale) : null

function Charts({ figures }: { figures: readonly HealthFigures[] }) {
  const labels = figures.map(({ at }) => clockTime(at))
  const [first, second] = figures
  const step = first && second ? second.at - first.at : 60
  return (
    <div className="columns">
      {charts.map(({ title, unit, isRate, scale = 1, lines }) => (
        <Card key={title}>
          <div className="card-body">
            <LineChart
              title={title}
              unit={isRate ? `${unit} per ${sayStep(step)}` : unit}
              labels={labels}
              series={lines.map(([field, name, color]) => ({
                name,
                color,
                values: figures.map((figure) => scaled(figure[field], scale)),
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
  const [node, setNode] = useState('')
  const state = useData(['health'], (signal) => api().health.get({ signal }), { refetchInterval: 10_000 })
  const series = useData(
    ['health', 'series', hours, node],
    (signal) => api().health.series({ query: { hours: Number(hours), node_id: node || undefined }, signal }),
    { refetchInterval: 60_000, placeholderData: (before) => before },
  )
  return (
    <Page title="Health" lead="Status of the whole service across all nodes and applications.">
      <Loaded query={state}>
        {({ nodes, outbox_jobs, failed_jobs, deliveries_waiting, sends_waiting, grants, destinations }) => (
          <>
            <Tiles
              tiles={[
                ['Deliveries waiting', count(deliveries_waiting)],
                ['Messages waiting', count(sends_waiting)],
                ['Other jobs waiting', count(outbox_jobs)],
                ['Failed jobs', count(failed_jobs)],
                ['Grants', count(grants.valid)],
                ['Invalid grants', count(grants.invalid)],
                ['Failing destinations', count(destinations.failing + destinations.failed)],
              ]}
            />
            <Nodes nodes={nodes} chosen={node} onChoose={setNode} />
          </>
        )}
      </Loaded>
      <div className="split">
        <h2>Over time</h2>
        <div className="actions">
          <SelectField
            label="Node"
            name="node"
            value={node}
            onChange={setNode}
            options={[
              ['', 'All nodes'],
              ...(state.data?.nodes ?? []).map((each) => [each.id, nodeName(each)] as const),
            ]}
          />
          <RangeField hours={hours} onHours={setHours} />
        </div>
      </div>
      <Loaded query={series} lines={10}>
        {(figures) => <Charts figures={figures} />}
      </Loaded>
    </Page>
  )
}
