/**
 * The stream of notifications as server-sent events. It reads as the list does, at any node, from any cursor. It reads only
 * as fast as the client, and little at a time. The credential is read again before every event that follows a wait, so
 * that the stream of a revoked one ends.
 */
import { limits, type StreamedNotification } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { JsonText } from '@waypost/platform/json/values'
import type { Database } from '@waypost/store/engine/database'
import type { StreamedRow, StreamPosition } from '@waypost/store/tables/notifications/notification-stream'
import { needStream } from '../../applications/settings.ts'
import type { NextOfStream } from '../../webhooks/stream.ts'
import { positionOf, type StreamFilter } from '../../webhooks/stream-reading.ts'
import { type EventSink, type LiveItems, LiveList } from '../http/event-stream.ts'
import { OpenStreams } from '../http/open-streams.ts'

/** Bytes that are read at once. */
const maxBytes = 262_144
/** How long one look waits. The credential of a quiet stream is read as often. */
const waitMs = 5_000
/** How long a client waits before it connects again. */
const retryMs = 2_000
/** A quiet stream sends a new position this often, so that the client's does not become too old. */
const positionMs = 3_600_000

/** The open streams of a node, by credential and by application. */
export interface LiveStreams {
  take(applicationId: string, credential: string): () => void
  readonly total: number
}

export function createLiveStreams(): LiveStreams {
  const ofCredential = new OpenStreams(limits.liveStreams)
  const ofApplication = new OpenStreams(limits.liveStreamsPerApplication)
  const refuse = (max: number, whose: string): ApiError =>
    new ApiError('rate_limited', `at most ${max} live streams of ${whose} at one node: close one`, { retryAfter: 5 })
  return {
    take(applicationId, credential) {
      const leave = ofCredential.take(`${applicationId} ${credential}`)
      if (!leave) throw refuse(limits.liveStreams, 'a credential')
      const leaveApplication = ofApplication.take(applicationId)
      if (leaveApplication) {
        return () => {
          leave()
          leaveApplication()
        }
      }
      leave()
      throw refuse(limits.liveStreamsPerApplication, 'an application')
    },
    get total() {
      return ofApplication.total
    },
  }
}

export interface Live {
  database: Database
  applicationId: string
  filter: StreamFilter
  limit: number
  after: StreamPosition
  next: NextOfStream
  open(
    rows: readonly StreamedRow[],
  ): Promise<{ row: StreamPosition; type: string; item: JsonText<StreamedNotification> }[]>
  now(): number
  stillAdmitted(): Promise<boolean>
  /** Aborts when the node stops. */
  stopping: AbortSignal
  /** Gives the place of the stream back. */
  leave(): void
}

export const liveNotifications = (live: Live): LiveList =>
  new LiveList({
    drop: live.leave,
    async produce(sink, items) {
      try {
        await follow(live, sink, items)
      } finally {
        live.leave()
      }
    },
  })

/** The cursor of a position, and when it was made: one that is older than all that is stored may have missed something. */
export const placeOf = ({ transaction, position }: StreamPosition, now: number): number[] => [
  ...[transaction, position],
  Math.floor(now / 1000),
]

async function follow(live: Live, sink: EventSink, items: LiveItems): Promise<void> {
  const { applicationId, filter, limit, next, now } = live
  const signal = AbortSignal.any([sink.signal, live.stopping])
  sink.sendRetry(retryMs)
  let after = live.after
  let reportedAt = now()
  while (!signal.aborted) {
    const part = await next({ applicationId, after, filter, limit, maxBytes, waitMs, signal })
    if (signal.aborted || !(await isAllowed(live))) return
    for (const { row, type, item } of await live.open(part.rows)) {
      await sink.room()
      if (signal.aborted) return
      sink.send({ id: items.seal(placeOf(row, now())), event: type, data: items.json(item) })
    }
    const last = part.rows.at(-1)
    const isPast = last ? !isSame(positionOf(last), part.next) : !isSame(after, part.next)
    if (isPast || now() - reportedAt >= positionMs) {
      sink.sendPosition(items.seal(placeOf(part.next, now())))
      reportedAt = now()
    }
    after = part.next
  }
}

const isSame = (a: StreamPosition, b: StreamPosition): boolean =>
  a.transaction === b.transaction && a.position === b.position

/** Whether the caller may still read, and the stream of the application is still on. */
async function isAllowed({ database, applicationId, stillAdmitted }: Live): Promise<boolean> {
  if (!(await stillAdmitted())) return false
  return needStream(database, applicationId, { follows: true }).then(
    () => true,
    (error) => {
      if (error instanceof ApiError && error.status < 500) return false
      throw error
    },
  )
}
