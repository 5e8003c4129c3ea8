/** One timeline entry: the event, its message and its request. */
import type { TimelineEntry } from '@waypost/sdk'
import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { CopyText } from '../../components/copy.tsx'
import { clockTime, exactTime, plural } from '../../format.ts'
import { eventWords, reasons } from './event-words.ts'

type Kind = TimelineEntry['kind']

const tones: Partial<Record<Kind, 'good' | 'bad' | 'warn'>> = {
  created: 'good',
  authenticated: 'good',
  unblocked: 'good',
  expired: 'bad',
  blocked: 'bad',
  error: 'bad',
  refusal: 'warn',
}

function Calls({
  at,
  calls,
  operation,
}: Pick<TimelineEntry, 'at' | 'operation'> & { calls: NonNullable<TimelineEntry['calls']> }) {
  const wrong = [
    ...(calls.refused > 0 ? [`${calls.refused} refused`] : []),
    ...(calls.errors > 0 ? [`${calls.errors} failed`] : []),
  ]
  return (
    <>
      {plural(calls.requests, 'call')} of <code>{operation}</code> in the hour from {clockTime(at)}
      {wrong.length > 0 && <span className="bad-text">, {wrong.join(', ')}</span>}
      <span className="quiet">, {calls.mean_ms} ms on average</span>
    </>
  )
}

function titleOf({ at, kind, type, operation, calls }: TimelineEntry): ReactNode {
  switch (kind) {
    case 'notification':
      return (
        <>
          Sent <code>{type}</code>
        </>
      )
    case 'calls':
      return calls && <Calls at={at} calls={calls} operation={operation} />
    case 'error':
    case 'refusal':
      return (
        <>
          {operation === 'changes' ? 'Checking for changes' : <code>{operation}</code>}{' '}
          {kind === 'error' ? 'failed' : 'was refused'}
          {type && <span className="quiet"> ({type})</span>}
        </>
      )
    default:
      return eventWords[kind]
  }
}

export function Entry({ entry, onShow }: { entry: TimelineEntry; onShow(notification: string): void }) {
  const { kind, at, reason, message, request_id, notification_id } = entry
  const said = [...(reason ? [reasons[reason]] : []), ...(message ? [message] : [])].join(': ')
  return (
    <li className={tones[kind] ?? ''}>
      <time dateTime={new Date(at * 1000).toISOString()} title={exactTime(at)}>
        {clockTime(at)}
      </time>
      <span className="timeline-dot" aria-hidden="true" />
      <div className="timeline-what">
        <span className="wrap">{titleOf(entry)}</span>
        {said && <span className="small wrap">{said}</span>}
        {request_id && (
          <span className="small quiet timeline-request">
            {kind === 'calls' ? 'Last request' : 'Request'}
            <CopyText inline text={request_id} label="Copy request ID" />
          </span>
        )}
      </div>
      {notification_id && (
        <Button small onClick={() => onShow(notification_id)}>
          Show
        </Button>
      )}
    </li>
  )
}
