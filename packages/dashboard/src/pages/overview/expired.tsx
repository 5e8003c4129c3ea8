/** Grants that lost access recently, and why. */
import type { ApplicationOverview } from '@waypost/sdk'
import { Link } from 'wouter'
import { Badge, Status } from '../../components/badge.tsx'
import { LinkButton } from '../../components/button.tsx'
import { Card } from '../../components/page.tsx'
import { Empty } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'
import { providerTitle } from '../connectors/kinds.ts'
import { reasons } from '../grants/event-words.ts'

export function Expired({ application, overview }: { application: string; overview: ApplicationOverview }) {
  const { expired } = overview
  return (
    <Card
      title="Recently expired"
      lead="Grants that lost access in the last 7 days."
      actions={
        overview.grants.invalid > 0 && (
          <LinkButton small to={`/a/${application}/grants?status=invalid`}>
            All invalid grants
          </LinkButton>
        )
      }
    >
      {expired.length === 0 ? (
        <Empty title="No expired grants" />
      ) : (
        <ul className="list">
          {expired.map((each) => (
            <li key={`${each.grant_id} ${each.at}`}>
              <span className="split">
                <Link className="wrap" href={`/a/${application}/grants/${each.grant_id}/timeline`}>
                  {each.email}
                </Link>
                {each.grant_status === 'valid' ? <Badge tone="good">back</Badge> : <Status of="invalid" />}
              </span>
              <span className="small wrap">
                {each.reason ? reasons[each.reason] : 'Reason unknown'}
                {each.message && <span className="quiet">: {each.message}</span>}
              </span>
              <span className="quiet small">
                {providerTitle(each.provider)}, <Time at={each.at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
