/** Recent grant events and administrator changes. */

import type { ApplicationOverview, AuditEntry } from '@waypost/sdk'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { api } from '../../api.ts'
import { LinkButton } from '../../components/button.tsx'
import { Card } from '../../components/page.tsx'
import { Empty } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'
import { useData } from '../../queries.ts'
import { eventWords } from '../grants/event-words.ts'

type GrantEvent = ApplicationOverview['recent'][number]

interface Happened {
  key: string
  at: number
  text: ReactNode
}

const shown = 10

const ofGrant = (application: string, { grant_id, email, at, kind }: GrantEvent): Happened => ({
  key: `${grant_id} ${kind} ${at}`,
  at,
  text: (
    <>
      <Link className="wrap" href={`/a/${application}/grants/${grant_id}/timeline`}>
        {email}
      </Link>{' '}
      <span className="quiet">{eventWords[kind].toLowerCase()}</span>
    </>
  ),
})

const ofAudit = ({ id, at, action, status }: AuditEntry): Happened => ({
  key: id,
  at,
  text: (
    <>
      <code className="wrap">{action}</code>{' '}
      <span className="quiet">{status < 400 ? 'by an administrator' : `was refused (${status})`}</span>
    </>
  ),
})

export function Recent({ application, recent }: { application: string; recent: readonly GrantEvent[] }) {
  const changes = useData(
    ['audit', application, 'recent'],
    (signal) => api().audit.list({ query: { application_id: application, kind: 'change', limit: shown }, signal }),
    { refetchInterval: 30_000, retry: false },
  )
  const all = [...recent.map((each) => ofGrant(application, each)), ...(changes.data ?? []).map(ofAudit)]
    .sort((a, b) => b.at - a.at)
    .slice(0, shown)
  return (
    <Card
      title="Recent activity"
      lead="Grant events and administrator changes."
      actions={
        <LinkButton small to={`/audit?application=${encodeURIComponent(application)}`}>
          View all changes
        </LinkButton>
      }
    >
      {all.length === 0 ? (
        <Empty title="No activity yet" />
      ) : (
        <ul className="list">
          {all.map(({ key, at, text }) => (
            <li key={key} className="split small">
              <span className="wrap">{text}</span>
              <span className="quiet">
                <Time at={at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
