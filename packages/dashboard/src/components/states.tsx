/** Placeholders for data: loading, failed, empty. */
import type { UseQueryResult } from '@tanstack/react-query'
import { WaypostError } from '@waypost/sdk'
import type { ReactNode } from 'react'
import { messageOf, remedyOf } from '../api.ts'
import { Button } from './button.tsx'
import { Prose } from './prose.tsx'

export function Skeleton({ lines = 5 }: { lines?: number }) {
  return (
    <div className="skeleton" role="status">
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} />
      ))}
      <span className="hidden">Loading</span>
    </div>
  )
}

/** An error with its remedy and request ID. */
export function ErrorNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const remedy = remedyOf(error)
  const facts = error instanceof WaypostError ? error : undefined
  return (
    // A form that cannot be submitted moves the focus here.
    <div className="note bad" role="alert" tabIndex={-1}>
      <strong>{messageOf(error)}</strong>
      {facts?.validationErrors && (
        <ul className="small">
          {Object.entries(facts.validationErrors).map(([field, problem]) => (
            <li key={field}>
              <code>{field}</code> {problem}
            </li>
          ))}
        </ul>
      )}
      {facts?.providerError && <code className="small wrap">{JSON.stringify(facts.providerError)}</code>}
      {remedy && (
        <span className="small">
          <Prose text={remedy} />
        </span>
      )}
      {facts?.requestId && (
        <span className="small">
          Request ID <code>{facts.requestId}</code>
        </span>
      )}
      {onRetry && (
        <div className="actions">
          <Button small onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
    </div>
  )
}

export function Empty({ title, children, actions }: { title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div className="empty">
      <strong>{title}</strong>
      {children && <p>{children}</p>}
      {actions && <div className="actions">{actions}</div>}
    </div>
  )
}

/** Renders the data of a query once it is loaded. Old data stays visible during a reload. */
export function Loaded<T>({
  query,
  lines,
  children,
}: {
  query: UseQueryResult<T>
  lines?: number
  children: (data: T) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) {
    return (
      <div className="card-body">
        <ErrorNote error={query.error} onRetry={() => void query.refetch()} />
      </div>
    )
  }
  return <Skeleton lines={lines} />
}
