/** The traffic of an application over time. */
import type { ApplicationOverview } from '@waypost/sdk'
import { BarChart, LineChart } from '../../components/chart.tsx'
import { SelectField } from '../../components/form.tsx'
import { Card } from '../../components/page.tsx'
import { clockTime, dayTime } from '../../format.ts'

export function Traffic({
  overview: { traffic },
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
        <SelectField
          label="Range"
          name="hours"
          value={hours}
          onChange={onHours}
          options={[
            ['1', 'Last hour'],
            ['6', 'Last 6 hours'],
            ['24', 'Last 24 hours'],
            ['48', 'Last 48 hours'],
          ]}
        />
      </div>
      <div className="columns">
        <Card>
          <div className="card-body">
            <BarChart
              title="Requests"
              labels={labels}
              series={[
                {
                  name: 'Answered',
                  colour: 1,
                  values: traffic.map((step) => step.requests - step.refused - step.errors),
                },
                { name: 'Refused (4xx)', colour: 4, values: traffic.map((step) => step.refused) },
                { name: 'Failed (5xx)', colour: 2, values: traffic.map((step) => step.errors) },
              ]}
            />
          </div>
        </Card>
        <Card>
          <div className="card-body">
            <LineChart
              title="Time to answer"
              unit="ms"
              labels={labels}
              series={[
                { name: 'Median', colour: 1, values: traffic.map((step) => step.latency_p50_ms) },
                { name: '95th percentile', colour: 4, values: traffic.map((step) => step.latency_p95_ms) },
              ]}
            />
          </div>
        </Card>
      </div>
    </>
  )
}
