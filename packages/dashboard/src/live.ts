/**
 * Live updates of account changes. `onChange` is called with notifications from the stream, or with an empty list on
 * every poll if the application has no stream. A hidden page sends no requests and polls once when it becomes
 * visible.
 */
import { type StreamedNotification, WaypostError } from '@waypost/sdk'
import { useEffect, useRef, useState } from 'react'
import { api } from './api.ts'
import { follow, type Liveness } from './follow-stream.ts'
import { now } from './format.ts'

export type { Liveness } from './follow-stream.ts'

export interface Live {
  application: string
  /** Only for this grant. */
  grant?: string | undefined
  /** Only these triggers, such as `message.created`. */
  triggers?: readonly string[]
  /** Defaults to true. */
  enabled?: boolean
  onChange(notifications: readonly StreamedNotification[]): void
}

/** Wait time of one request in seconds: below the limits of the service and of proxies. */
const waitSeconds = 25

const failureOf = (error: unknown): 'off' | 'refused' | 'lost' => {
  const status = error instanceof WaypostError ? error.status : undefined
  if (status === 409) return 'off'
  return status === 401 || status === 403 || status === 404 ? 'refused' : 'lost'
}

/** Follows changes while the page is mounted and visible; returns the current state. */
export function useLive({ application, grant, triggers, enabled = true, onChange }: Live): Liveness {
  const [state, setState] = useState<Liveness>('polling')
  const tell = useRef(onChange)
  tell.current = onChange
  const wanted = triggers?.join(',')
  useEffect(() => {
    if (!enabled) return
    let stop = new AbortController()
    const begin = (): void => {
      stop = new AbortController()
      const { signal } = stop
      const start = Math.floor(now())
      const read = async (page_token: string | undefined) => {
        const query = {
          // The first request returns at once and shows whether the stream is on.
          wait: page_token === undefined ? 0 : waitSeconds,
          limit: 50,
          start,
          ...(grant === undefined ? {} : { grant_id: grant }),
          ...(wanted ? { trigger_types: wanted.split(',') } : {}),
          ...(page_token === undefined ? {} : { page_token }),
        }
        const { data, nextCursor } = await api(application).notifications.list({ query, signal })
        return { items: data, next: nextCursor }
      }
      const onState = (next: Liveness): void => setState(next)
      void follow({ read, failureOf, sleep, onState, onChange: (items) => tell.current(items) }, signal)
    }
    const onVisible = (): void => {
      stop.abort()
      if (document.hidden) return
      tell.current([])
      begin()
    }
    if (!document.hidden) begin()
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      stop.abort()
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [application, grant, wanted, enabled])
  return enabled ? state : 'ended'
}

const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
