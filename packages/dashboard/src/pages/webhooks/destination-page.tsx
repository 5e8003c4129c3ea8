import { useState } from 'react'
import { api } from '../../api.ts'
import { BarChart } from '../../components/chart.tsx'
import { CopyText } from '../../components/copy.tsx'
import { SelectField } from '../../components/form.tsx'
import { Card, Facts } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'
import { type Destination, isChannel } from '../../destinations.ts'
import { clockTime, dayTime } from '../../format.ts'
import { useData } from '../../queries.ts'
import { Attempts } from './attempts.tsx'
import { channelRows } from './channels/channel-facts.tsx'
import { Deliveries } from './deliveries.tsx'
import { DestinationFrame } from './destination-frame.tsx'

function HealthCard({ application, id }: { application: string; id: string }) {
  const [hours, setHours] = useState('24')
  const query = useData(
    ['webhooks', application, id, 'health', Number(hours)],
    (signal) => api(application).webhooks.health({ id, query: { hours: Number(hours) }, signal }),
    { refetchInterval: 30_000, placeholderData: (before) => before },
  )
  const label = Number(hours) > 24 ? dayTime : clockTime
  return (
    <Card
      title="Attempts over time"
      actions={
        <SelectField
          label="Range"
          name="hours"
          value={hours}
          onChange={setHours}
          options={[
            ['6', '6 hours'],
            ['24', '24 hours'],
            ['168', '7 days'],
            ['720', '30 days'],
          ]}
        />
      }
    >
      <Loaded query={query}>
        {(figures) => (
          <div className="card-body">
            <BarChart
              title="Delivery attempts"
              unit={Number(hours) > 6 ? 'attempts per hour' : 'attempts per 15 minutes'}
              labels={figures.map(({ at }) => label(at))}
              series={[
                { name: 'Delivered', color: 3, values: figures.map(({ delivered }) => delivered) },
                { name: 'Failed', color: 2, values: figures.map(({ failed }) => failed) },
              ]}
            />
          </div>
        )}
      </Loaded>
    </Card>
  )
}

const placeRows = (destination: Destination) =>
  isChannel(destination)
    ? channelRows(destination)
    : [['Address', <CopyText key="url" inline text={destination.webhook_url} label="Copy address" />] as const]

export function DestinationPage({ application, id }: { application: string; id: string }) {
  return (
    <DestinationFrame {...{ application, id }} current="deliveries">
      {(destination) => (
        <>
          <Card>
            <div className="card-body stack">
              <Facts
                rows={[
                  ...placeRows(destination),
                  ['Status since', <Time key="since" at={destination.status_updated_at} />],
                  ['Failure alert recipients', destination.notification_email_addresses.join(', ') || 'nobody'],
                  ['Compression', destination.compressed_delivery ? 'gzip' : 'none'],
                ]}
              />
              <ul className="tags">
                {destination.trigger_types.map((name) => (
                  <li key={name} className="tag">
                    {name}
                  </li>
                ))}
              </ul>
            </div>
          </Card>
          <HealthCard application={application} id={id} />
          <Deliveries application={application} id={id} triggers={destination.trigger_types} />
          <Attempts application={application} destination={destination} />
        </>
      )}
    </DestinationFrame>
  )
}
