/** One approval: what will happen, the decision, and the outcome. */
import type { Approval } from '@waypost/sdk'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { api } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { Code, CopyText, json } from '../../components/copy.tsx'
import { CustomerData } from '../../components/customer-data.tsx'
import { Card, Facts, Page } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'
import { visibleText } from '../../foreign-text.ts'
import { approvalsKey, useData } from '../../queries.ts'
import { useRights } from '../../rights.ts'
import { GrantLinks } from '../agents/rights-view.tsx'
import { sayAction, sayRequester, stateOf } from './approval-words.ts'
import { useLiveApprovals } from './data.ts'
import { Decision } from './decision.tsx'
import { Preview } from './preview.tsx'
import '../../styles/agents.css'

const outcomes: Partial<Record<Approval['status'], string>> = {
  approved: 'It was approved and is being carried out.',
  executed: 'It was approved and carried out once.',
  failed: 'It was approved, but it could not be carried out. Nothing is tried again.',
  rejected: 'It was rejected. Nothing was sent or changed.',
  drafted: 'Nothing was sent. The message is a draft in the account, where a person can change and send it.',
  expired: 'Nobody decided in time. Nothing was sent or changed.',
}
const noteOf: Partial<Record<Approval['status'], string>> = { executed: 'good', failed: 'bad', expired: 'warn' }

function Outcome({ application, approval }: { application: string; approval: Approval }) {
  const { status, reason, result, grant_id: grant, draft_id: draft } = approval
  return (
    <div className={`note ${noteOf[status] ?? ''}`} role="status">
      <strong>{outcomes[status]}</strong>
      {reason && <span>{visibleText(reason)}</span>}
      {draft && grant && <Link href={`/a/${application}/grants/${grant}/mail`}>Open the mailbox</Link>}
      {result && (
        <details>
          <summary>Response with status {result.status}</summary>
          <Code text={json(result.body)} label="Response" />
        </details>
      )}
    </div>
  )
}

function factsOf(application: string, approval: Approval): (readonly [string, ReactNode])[] {
  const { requested_by: by, grant_id: grant, status, decided_at, decided_by } = approval
  const { text, tone } = stateOf(status)
  const from = by.type === 'agent' ? 'agents' : 'api-keys'
  return [
    [
      'State',
      <Badge key="state" tone={tone}>
        {text}
      </Badge>,
    ],
    [
      'Requested by',
      <span key="by" className="wrap">
        <Link href={`/a/${application}/${from}/${by.id}`}>{sayRequester(by)}</Link>, <Time at={approval.created_at} />
      </span>,
    ],
    ...(grant ? [['Account', <GrantLinks key="grant" application={application} ids={[grant]} />] as const] : []),
    ...(decided_at === null
      ? []
      : [
          [
            'Decided',
            <span key="decided" className="wrap">
              <Time at={decided_at} /> {decided_by && `by ${decided_by}`}
            </span>,
          ] as const,
        ]),
    ['Operation', <code key="operation">{approval.operation}</code>],
    ['Hash', <CopyText key="hash" inline text={approval.hash} label="Copy the hash of the request" />],
  ]
}

function Details({ application, approval }: { application: string; approval: Approval }) {
  useLiveApprovals(application)
  return (
    <CustomerData of={undefined}>
      {approval.status !== 'pending' && <Outcome {...{ application, approval }} />}
      <Preview approval={approval} />
      {approval.status === 'pending' && <Decision {...{ application, approval }} />}
      <Card title="Request">
        <div className="card-body">
          <Facts rows={factsOf(application, approval)} />
        </div>
      </Card>
    </CustomerData>
  )
}

export function ApprovalPage({ application, id }: { application: string; id: string }) {
  const { customerData } = useRights()
  const query = useData(
    approvalsKey(application, 'one', id),
    (signal) => api(application).approvals.get({ approval_id: id, signal }),
    { refetchInterval: ({ state }) => (state.data?.status === 'approved' ? 2_000 : 30_000), enabled: customerData },
  )
  const back = { to: `/a/${application}/approvals`, label: 'Approvals' }
  return (
    <Page title={query.data ? sayAction(query.data) : 'Approval'} back={back}>
      {customerData ? (
        <Loaded query={query}>{(approval) => <Details {...{ application, approval }} />}</Loaded>
      ) : (
        <CustomerData of={undefined}>{null}</CustomerData>
      )}
    </Page>
  )
}
