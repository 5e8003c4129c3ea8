/** The traffic of an application over time. */
import type { ApplicationOverview } from '@waypost/sdk'
import { BarChart, LineChart } from '../../components/chart.tsx'
import { Card } from '../../components/page.tsx'
import { RangeField } from '../../components/range.tsx'
import { clockTime, dayTime, sayStep } from '../../format.ts'

export function Traffic({
  overview: { traffic, step_seconds: step },
  hours,
  onHours,
}: {
  overview: ApplicationOverview
  hours: string
  onHours(hours: string): void
}) {
  const labels = traffic.map(({ at }) => (Number(hours) > 24 ? dayTime(at) : clockTime(at)))
  return (
    <>
      <div className="split">
        <h2>Traffic</h2>
        <RangeField {...{ hours, onHours }} />
      </div>
      <div className="columns">
        <Card>
          <div className="card-body">
            <BarChart
              title="Requests"
              unit={`requests per ${sayStep(step)}`}
              labels={labels}
              series={[
                {
                  name: 'Successful',
                  color: 1,
                  values: traffic.map((each) => each.requests - each.refused - each.errors),
                },
                { name: 'Refused (4xx)', color: 4, values: traffic.map((each) => each.refused) },
                { name: 'Failed (5xx)', color: 2, values: traffic.map((each) => each.errors) },
              ]}
            />
          </div>
        </Card>
        <Card>
          <div className="card-body">
            <LineChart
              title="Response time"
              unit="ms"
              labels={labels}
              series={[
                { name: 'Median', color: 1, values: traffic.map((each) => each.latency_p50_ms) },
                { name: '95th percentile', color: 4, values: traffic.map((each) => each.latency_p95_ms) },
              ]}
            />
          </div>
        </Card>
      </div>
    </>
  )
}
