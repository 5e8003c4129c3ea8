/**
 * What happens at accounts appears while somebody looks: `onChange` is called with what the stream of notifications tells,
 * or with nothing, by the clock, where the application has no stream. A page that nobody sees asks for nothing, and looks
 * once when it is seen again.
 */
import { type StreamedNotification, WaypostError } from '@waypost/sdk'
import { useEffect, useRef, useState } from 'react'
import { api } from './api.ts'
import { follow, type Liveness } from './follow-stream.ts'
import { now } from './format.ts'

export type { Liveness } from './follow-stream.ts'

export interface Live {
  application: string
  /** Of this grant alone. */
  grant?: string | undefined
  /** Of these triggers alone, such as `message.created`. */
  triggers?: readonly string[]
  /** Whether it is followed at all; it is unless this says no. */
  enabled?: boolean
  onChange(notifications: readonly StreamedNotification[]): void
}

/** Seconds that one request waits: less than the service allows, and than proxies bear. */
const waitSeconds = 25

const failureOf = (error: unknown): 'off' | 'refused' | 'lost' => {
  const status = error instanceof WaypostError ? error.status : undefined
  if (status === 409) return 'off'
  return status === 401 || status === 403 || status === 404 ? 'refused' : 'lost'
}

/** Follows what happens as long as the page is there and seen; answers how. */
export function useLive({ application, grant, triggers, enabled = true, onChange }: Live): Liveness {
  const [state, setState] = useState<Liveness>('asking')
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
          // The first one answers at once: from then on it is known whether the stream is on.
          ...{ wait: page_token === undefined ? 0 : waitSeconds, limit: 50, start },
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
