/** The timeline of a grant by day, newest first, with live updates. */
import type { Grant, TimelineEntry } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { ChoiceFilter, Filters } from '../../components/filters.tsx'
import { Card } from '../../components/page.tsx'
import { Empty, Loaded } from '../../components/states.tsx'
import { MoreRows } from '../../components/table.tsx'
import { sayDay } from '../../format.ts'
import { useFilters } from '../../list/address.ts'
import { useLive } from '../../live.ts'
import { refresh, usePages } from '../../queries.ts'
import '../../styles/timeline.css'
import { GrantFrame } from './grant-data.tsx'
import { NotificationDialog } from './notification-dialog.tsx'
import { Entry } from './timeline-entry.tsx'

const kinds = [
  ['grant', 'Grant events'],
  ['notifications', 'Notifications'],
  ['calls', 'Calls'],
  ['errors', 'Errors and refused calls'],
] as const

export function TimelinePage({ application, id }: { application: string; id: string }) {
  return (
    <GrantFrame application={application} id={id} current="timeline">
      {(grant) => <Timeline application={application} grant={grant} />}
    </GrantFrame>
  )
}

/** Entries grouped by day, in their order. */
const daysOf = (entries: readonly TimelineEntry[]): [day: string, entries: readonly TimelineEntry[]][] => [
  ...Map.groupBy(entries, ({ at }) => sayDay(at)),
]

function Timeline({ application, grant }: { application: string; grant: Grant }) {
  const filters = useFilters()
  const kind = kinds.find(([name]) => name === filters.read('kind'))?.[0]
  const [openId, setOpenId] = useState<string>()
  const key = ['timeline', application, grant.id]
  const entries = usePages(
    [...key, kind],
    (page_token, signal) =>
      api().adminGrants.timeline({
        application_id: application,
        grant_id: grant.id,
        query: { page_token, limit: 50, ...(kind ? { kinds: [kind] } : {}) },
        signal,
      }),
    { refetchInterval: 15_000 },
  )
  const liveness = useLive({ application, grant: grant.id, onChange: () => void refresh(...key) })
  return (
    <>
      <Filters>
        <ChoiceFilter label="Show" name="kind" options={kinds} />
      </Filters>
      <Card
        title="Timeline"
        lead="Calls are retained for 7 days and grant events for 90 days. Only the last 20 errors and refused calls are retained."
        actions={liveness === 'live' ? <Badge tone="good">live</Badge> : <Badge>every 15 seconds</Badge>}
      >
        <Loaded query={entries} lines={8}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="No entries">New activity appears here.</Empty>
            ) : (
              <>
                {daysOf(rows).map(([day, all]) => (
                  <section key={day} className="timeline-day" aria-label={day}>
                    <h3>{day}</h3>
                    <ol className="timeline">
                      {all.map((entry) => (
                        <Entry key={entry.id} entry={entry} onShow={setOpenId} />
                      ))}
                    </ol>
                  </section>
                ))}
                <MoreRows shown={rows.length} one="entry" many="entries" more={entries} />
              </>
            )
          }
        </Loaded>
      </Card>
      {openId !== undefined && (
        <NotificationDialog
          application={application}
          email={grant.email}
          id={openId}
          onClose={() => setOpenId(undefined)}
        />
      )}
    </>
  )
}
