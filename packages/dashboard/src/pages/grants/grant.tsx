import type { Grant } from '@waypost/sdk'
import { Status } from '../../components/badge.tsx'
import { LinkButton } from '../../components/button.tsx'
import { Code, CopyText, json } from '../../components/copy.tsx'
import { Card, Facts } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { providerTitle } from '../connectors/kinds.ts'
import { Activity } from './activity.tsx'
import { GrantActions } from './grant-actions.tsx'
import { GrantFrame } from './grant-data.tsx'
import { GrantNotifications } from './grant-notifications.tsx'

function GrantFacts({ grant }: { grant: Grant }) {
  return (
    <Card title="Account">
      <div className="card-body stack">
        <Facts
          rows={[
            ['Grant ID', <CopyText key="id" inline text={grant.id} label="Copy grant ID" />],
            ['Provider', providerTitle(grant.provider)],
            ['Name', grant.name ?? '–'],
            ['External ID', grant.external_id ?? '–'],
            ['Connected', <Time key="created" at={grant.created_at} />],
            ['Last authenticated', <Time key="updated" at={grant.updated_at} />],
          ]}
        />
        <div>
          <h3>Scopes</h3>
          {grant.scope.length === 0 ? (
            <p className="quiet">This provider has no scopes. The credentials give access to the whole account.</p>
          ) : (
            <ul className="tags">
              {grant.scope.map((scope) => (
                <li key={scope} className="tag">
                  {scope}
                </li>
              ))}
            </ul>
          )}
        </div>
        <details className="disclosure">
          <summary>Full API response</summary>
          <Code label="The grant as JSON" text={json(grant)} />
        </details>
      </div>
    </Card>
  )
}

export function GrantPage({ application, id }: { application: string; id: string }) {
  return (
    <GrantFrame
      application={application}
      id={id}
      current="details"
      lead={({ grant_status, blocked }) => (
        <span className="tags">
          <Status of={grant_status} />
          {blocked && <Status of="blocked" />}
        </span>
      )}
      actions={
        <LinkButton changes to={`/a/${application}/explorer?grant=${encodeURIComponent(id)}`}>
          Open in explorer
        </LinkButton>
      }
    >
      {(grant) => (
        <>
          {grant.grant_status === 'invalid' && (
            <div className="note warn">
              <strong>This grant lost access.</strong>
              <span className="small">
                Nothing can be read or sent until the account owner authenticates again. The grant keeps its ID and
                data.
              </span>
            </div>
          )}
          <div className="columns">
            <GrantFacts grant={grant} />
            <Activity application={application} id={id} />
          </div>
          <GrantNotifications application={application} id={id} />
          <GrantActions application={application} grant={grant} />
        </>
      )}
    </GrantFrame>
  )
}
