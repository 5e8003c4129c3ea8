// GetStreamingEvents: one response that lasts for minutes, with one envelope per notification.
import type { EnvelopeStream, EwsCall } from '../model.ts'
import type { Account } from '../owner.ts'
import { errorMessage, goodMessage } from '../soap/answers.ts'
import { EwsError, schemaViolation } from '../soap/errors.ts'
import { childOf, textOf } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'
import { maxNotified, streamedNotification } from './event-xml.ts'
import type { StoredSubscription } from './stored.ts'

export interface StreamOptions {
  /** The interval of heartbeats on a connection without events, in milliseconds; default 45 seconds. */
  readonly heartbeatMs?: number
  /** The length of a minute of `ConnectionTimeout`, in milliseconds; default 60,000. */
  readonly minuteMs?: number
  /** The maximum number of such connections per user; default 10. */
  readonly maxStreams?: number
}

interface Source {
  find(account: Account, id: string, kind: 'streaming'): StoredSubscription
}

export interface Streams {
  getStreamingEvents(call: EwsCall): EnvelopeStream
  drop(): void
  count(): number
}

/** The connection was closed by `dropStreams`. */
class Dropped extends Error {
  override readonly name = 'Dropped'
}

interface OpenStream {
  readonly account: Account
  readonly subscriptions: readonly StoredSubscription[]
  isDropped: boolean
  wake: () => void
}

const maxIds = 200

export function createStreams(options: StreamOptions, { find }: Source): Streams {
  const { heartbeatMs = 45_000, minuteMs = 60_000, maxStreams = 10 } = options
  const open = new Set<OpenStream>()

  async function* run(call: EwsCall, ids: readonly string[], minutes: number): AsyncGenerator<Xml> {
    const stream = { account: call.account, subscriptions: [], isDropped: false, wake: () => {} }
    const missing = ids.filter((id) => !isThere(call.account, id))
    if (missing.length > 0) return yield lost(missing)
    const subscriptions = ids.map((id) => find(call.account, id, 'streaming'))
    const opened: OpenStream = Object.assign(stream, { subscriptions })
    open.add(opened)
    try {
      yield answer([element('m:ConnectionStatus', 'OK')])
      yield* notifications(call, opened, Date.now() + minutes * minuteMs)
    } finally {
      open.delete(opened)
    }
  }

  async function* notifications(call: EwsCall, stream: OpenStream, end: number): AsyncGenerator<Xml> {
    // Without pending events, the first notification is a heartbeat.
    let quietSince = 0
    while (!call.signal.aborted) {
      if (stream.isDropped) throw new Dropped()
      const missing = stream.subscriptions.filter(({ id }) => !isThere(call.account, id)).map(({ id }) => id)
      if (missing.length > 0) return yield lost(missing)
      const reported = take(call, stream.subscriptions)
      const isQuiet = reported.length === 0 && Date.now() - quietSince >= heartbeatMs
      if (reported.length > 0 || isQuiet) {
        quietSince = Date.now()
        const beats = stream.subscriptions.map((each) => streamedNotification(call, each, []))
        yield answer([element('m:Notifications', isQuiet ? beats : reported)])
        continue
      }
      if (Date.now() >= end) return yield answer([element('m:ConnectionStatus', 'Closed')])
      await wait(call, stream, Math.min(end, quietSince + heartbeatMs) - Date.now())
    }
  }

  function isThere(account: Account, id: string): boolean {
    try {
      return find(account, id, 'streaming') !== undefined
    } catch (error) {
      if (error instanceof EwsError) return false
      throw error
    }
  }

  return {
    getStreamingEvents(call) {
      const ids = childOf(call.request, 'SubscriptionIds')?.children.map(({ text }) => text.trim()) ?? []
      const minutes = Number(textOf(call.request, 'ConnectionTimeout'))
      if (!(minutes >= 1 && minutes <= 30))
        throw schemaViolation("The 'ConnectionTimeout' element is invalid: it is 1 to 30.")
      if (ids.length > maxIds) throw new EwsError('ErrorExceededSubscriptionCount', 'There are too many subscriptions.')
      const own = [...open].filter(({ account }) => account === call.account)
      if (own.length >= maxStreams) {
        const message = 'You have exceeded the available concurrent connections for your account.'
        throw new EwsError('ErrorExceededConnectionCount', message)
      }
      return { envelopes: run(call, ids, minutes) }
    },
    drop() {
      for (const stream of open) {
        stream.isDropped = true
        stream.wake()
      }
    },
    count: () => open.size,
  }
}

/** Takes up to `MAX_NOTIFIED` events from each subscription. */
function take(call: EwsCall, subscriptions: readonly StoredSubscription[]): Xml[] {
  return subscriptions
    .filter(({ events }) => events.length > 0)
    .map((subscription) => streamedNotification(call, subscription, subscription.events.splice(0, maxNotified)))
}

/** Waits for an event, the end of the time, or a disconnect of the client. */
async function wait({ signal }: EwsCall, stream: OpenStream, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, Math.max(0, ms))
  signal.addEventListener('abort', () => resolve(), { once: true })
  stream.wake = resolve
  for (const subscription of stream.subscriptions) subscription.wake = resolve
  if (!signal.aborted && stream.subscriptions.every(({ events }) => events.length === 0)) await promise
  clearTimeout(timer)
}

const answer = (content: readonly Xml[]): Xml => response(goodMessage('m:GetStreamingEventsResponseMessage', content))

/** The error for subscriptions that no longer exist. */
function lost(ids: readonly string[]): Xml {
  const error = new EwsError('ErrorSubscriptionNotFound', 'One or more subscriptions are invalid or have expired.')
  const message = errorMessage('m:GetStreamingEventsResponseMessage', error)
  const names = ids.map((id) => element('t:SubscriptionId', id))
  const more = [element('m:ErrorSubscriptionIds', names), element('m:ConnectionStatus', 'Closed')]
  return response({ ...message, content: [...(message.content as readonly Xml[]), ...more] })
}

function response(message: Xml): Xml {
  return element('m:GetStreamingEventsResponse', [element('m:ResponseMessages', [message])])
}
