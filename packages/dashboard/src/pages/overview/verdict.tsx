/** The overall status in one line, and each problem with a link to fix it. */
import type { ApplicationOverview, OverviewProblem } from '@waypost/sdk'
import { Badge } from '../../components/badge.tsx'
import { LinkButton } from '../../components/button.tsx'
import { Icon } from '../../components/icons.tsx'
import { plural } from '../../format.ts'

/** The page that fixes a problem, and the label of the link to it. */
function linkFor(
  application: string,
  { code, provider, webhook_id }: OverviewProblem,
): readonly [to: string, text: string] {
  const at = `/a/${application}`
  switch (code) {
    case 'application_blocked':
    case 'grant_limit_reached':
      return ['/applications', 'Applications']
    case 'no_worker':
    case 'service_errors':
      return ['/health', 'Health']
    case 'jobs_failed':
      return [`/failed-jobs?application=${application}`, 'Failed jobs']
    case 'provider_errors':
      return [`${at}/connectors/${provider ?? ''}`, 'Test connector']
    case 'grants_expired':
      return [`${at}/grants?status=invalid`, 'View grants']
    case 'changes_not_fetched':
      return [`${at}/grants`, 'Grants']
    case 'destination_failed':
    case 'destination_failing':
    case 'destination_paused':
    case 'deliveries_late':
      return [`${at}/webhooks/${webhook_id ?? ''}`, 'View destination']
  }
}

const titles = { well: 'Everything is working', attention: 'Needs attention', trouble: 'Action required' } as const

export function Verdict({ application, overview }: { application: string; overview: ApplicationOverview }) {
  const { status, problems, step_seconds: step, traffic } = overview
  const hours = Math.round((traffic.length * step) / 3600)
  const requests = traffic.reduce((sum, each) => sum + each.requests, 0)
  return (
    <section className={`card verdict ${status}`} aria-label="Status">
      <div className="verdict-head">
        <span className="verdict-mark">
          <Icon name={status === 'well' ? 'check' : 'health'} />
        </span>
        <div>
          <h2>{titles[status]}</h2>
          <p className="quiet">
            {problems.length === 0
              ? `No issues. ${plural(requests, 'request')} in the last ${hours === 1 ? 'hour' : `${hours} hours`}.`
              : `${plural(problems.length, 'issue')}`}
          </p>
        </div>
      </div>
      {problems.length > 0 && (
        <ul className="list" aria-label="Issues">
          {problems.map((problem) => {
            const [to, text] = linkFor(application, problem)
            return (
              <li key={`${problem.code} ${problem.webhook_id} ${problem.provider}`} className="split">
                <span className="to-act">
                  <Badge tone={problem.severity === 'trouble' ? 'bad' : 'warn'}>{problem.severity}</Badge>
                  <span className="wrap">{problem.message}</span>
                </span>
                <LinkButton to={to} small>
                  {text}
                </LinkButton>
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}
