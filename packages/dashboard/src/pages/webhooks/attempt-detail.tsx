/** One delivery attempt: its outcome, what to try next, the request as sent, and the response. */

import type { AttemptDetail, AttemptRequest, DeliveryAttempt } from '@waypost/sdk'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../api.ts'
import { Status } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Code, CopyButton, json } from '../../components/copy.tsx'
import { CustomerDataMark } from '../../components/customer-data.tsx'
import { ActionButton, Dialog } from '../../components/dialog.tsx'
import { Facts } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'
import { type Destination, isChannel, type Transport } from '../../destinations.ts'
import { count } from '../../format.ts'
import { useData } from '../../queries.ts'
import { useRights } from '../../rights.ts'
import { setDeliveryToCheck } from './delivery-to-check.ts'
import { replay } from './replay.tsx'

/** The service describes what a broker answered with the status codes of HTTP. */
export function responseOf({ status, error }: Pick<DeliveryAttempt, 'status' | 'error'>, transport: Transport): string {
  if (status === null) return error ?? 'no response'
  if (transport === 'webhook') return `HTTP ${status}`
  return status < 300 ? 'confirmed' : `refused (${status})`
}

/** Request line and headers. */
const headLines = ({ method, url, headers }: AttemptRequest): string =>
  [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\n')

const pretty = (text: string): string => {
  try {
    return json(JSON.parse(text))
  } catch {
    return text
  }
}

function RequestPart({ request, isSigned }: { request: AttemptRequest; isSigned: boolean }) {
  const [exact, setExact] = useState(false)
  return (
    <section className="stack" aria-labelledby="attempt-request">
      <div className="split">
        <h3 id="attempt-request">Request</h3>
        <div className="actions">
          <Button small kind="plain" aria-pressed={exact} onClick={() => setExact(!exact)}>
            {exact ? 'Show formatted' : 'Show raw bytes'}
          </Button>
          <CopyButton text={request.body} label="Copy raw body" />
        </div>
      </div>
      {!request.is_exact && (
        <p className="note warn">
          The destination changed after this attempt. The{' '}
          {isSigned ? 'address, compression and signatures' : 'place and compression'} shown are the current ones.
        </p>
      )}
      {request.compressed && (
        <p className="quiet small">Sent as gzip.{isSigned && ' The signatures cover the compressed bytes.'}</p>
      )}
      <Code label="Request and headers" text={headLines(request)} />
      <Code label="Request body" text={exact ? request.body : pretty(request.body)} />
    </section>
  )
}

function Detail({
  detail,
  destination,
  onCheck,
}: {
  detail: AttemptDetail
  destination: Destination
  onCheck(request: AttemptRequest): void
}) {
  const isSigned = !isChannel(destination)
  const { request } = detail
  return (
    <>
      <Facts
        rows={[
          ['Outcome', <Status key="outcome" of={detail.outcome} />],
          ['When', <Time key="at" at={detail.at} />],
          ['Attempt', detail.webhook_delivery_attempt],
          ['Duration', `${count(detail.latency_ms)} ms`],
          ['Response', responseOf(detail, destination.transport)],
          ['Current state', <Status key="state" of={detail.state} />],
          ...(detail.next_attempt_at === null
            ? []
            : [['Next attempt', <Time key="next" at={detail.next_attempt_at} />] as const]),
        ]}
      />
      {detail.advice.length > 0 && (
        <section className="note" aria-label="Suggestions">
          <strong>Suggestions</strong>
          {detail.advice.map((line) => (
            <span key={line}>{line}</span>
          ))}
        </section>
      )}
      <section className="stack" aria-labelledby="attempt-answer">
        <h3 id="attempt-answer">Response</h3>
        {detail.answer ? <Code label="Response body" text={detail.answer} /> : <p className="quiet">No body.</p>}
      </section>
      {request ? (
        <>
          <RequestPart request={request} isSigned={isSigned} />
          {isSigned && (
            <div>
              <Button small onClick={() => onCheck(request)}>
                Check these signatures
              </Button>
            </div>
          )}
        </>
      ) : (
        <p className="quiet">The notification is no longer available.</p>
      )}
    </>
  )
}

export function AttemptDialog({
  application,
  destination,
  notification,
  attempt,
  onClose,
}: {
  application: string
  destination: Destination
  notification: string
  attempt: number
  onClose(): void
}) {
  const [, navigate] = useLocation()
  const { customerData } = useRights()
  const { id } = destination
  const query = useData(
    ['webhooks', application, id, 'attempt', notification, attempt],
    (signal) =>
      api(application).deliveries.attempt({
        id,
        notification_id: notification,
        query: { attempt },
        signal,
      }),
    { enabled: customerData },
  )
  return (
    <Dialog wide title={query.data?.type ?? 'Attempt'} onClose={onClose}>
      {customerData ? (
        <>
          <CustomerDataMark of={undefined} />
          <Loaded query={query}>
            {(detail) => (
              <Detail
                detail={detail}
                destination={destination}
                onCheck={(request) => {
                  setDeliveryToCheck(request)
                  navigate(`/a/${application}/webhooks/${id}/signatures`)
                }}
              />
            )}
          </Loaded>
        </>
      ) : (
        <p className="note">
          The request contains customer data, which is not available (<code>WAYPOST_CUSTOMER_DATA</code> or your role).
          The log shows the outcome.
        </p>
      )}
      <div className="dialog-foot">
        <ActionButton
          changes
          label="Deliver again"
          onAct={async () => {
            await replay(application, id, { notification_id: notification })
            onClose()
          }}
        />
      </div>
    </Dialog>
  )
}
