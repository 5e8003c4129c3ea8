// Creates, reads and ends subscriptions. Their events are held in memory.
import { type EventType, eventTypes, type MailboxEvent } from '../events.ts'
import type { EwsCall, ExchangePart } from '../model.ts'
import type { Account } from '../owner.ts'
import { answerOne } from '../soap/answers.ts'
import { EwsError, invalidRequest, schemaViolation } from '../soap/errors.ts'
import { isSince, type ServerVersion } from '../soap/versions.ts'
import { folderOf } from '../store/lookup.ts'
import { childOf, textOf, type XmlNode } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'
import { eventXml, maxNotified, readWatermark, writeWatermark } from './event-xml.ts'
import { newSubscription, offer, type StoredSubscription } from './stored.ts'
import { createStreams, type StreamOptions } from './streaming.ts'

export interface Subscriptions {
  readonly part: ExchangePart
  tell(event: MailboxEvent): void
  list(): StoredSubscription[]
  /** While true, events are dropped and not reported later. */
  mute(isMuted: boolean): void
  /** Ends all subscriptions, or those of one mailbox, as a server restart or a mailbox move does. */
  end(mailbox?: string): void
  /** Closes the streaming connections without a message. */
  dropStreams(): void
  /** The number of streaming connections. */
  streamCount(): number
}

export interface SubscriptionOptions extends StreamOptions {
  now(): number
  readonly server: ServerVersion
}

/** The lifetime of a streaming subscription without a connection. */
const streamingTimeoutMs = 30 * 60_000
const maxSubscriptions = 5000

export function createSubscriptions(options: SubscriptionOptions): Subscriptions {
  const { now, server } = options
  const all = new Map<string, StoredSubscription>()
  const streams = createStreams(options, { find })
  const hasDumpster = isSince(server.schema, 'Exchange2013')
  let lastEvent = 0
  let isMuted = false

  function find(account: Account, id: string, kind: StoredSubscription['kind']): StoredSubscription {
    const found = all.get(id)
    if (found !== undefined && found.usedAt + found.timeoutMs < now()) all.delete(id)
    const subscription = all.get(id)
    if (subscription === undefined) throw new EwsError('ErrorSubscriptionNotFound', 'The subscription was not found.')
    if (subscription.owner !== account.id) {
      throw new EwsError('ErrorSubscriptionAccessDenied', 'The subscription belongs to another user.')
    }
    if (subscription.kind !== kind) {
      throw new EwsError('ErrorInvalidSubscription', 'The subscription is invalid for the attempted operation.')
    }
    subscription.usedAt = now()
    return subscription
  }

  function subscribe(call: EwsCall): Promise<Xml> {
    return answerOne(call, () => {
      const [wish] = call.request.children
      if (wish === undefined) throw schemaViolation('The subscription is missing.')
      const owned = [...all.values()].filter(({ owner }) => owner === call.account.id)
      if (owned.length >= maxSubscriptions) {
        throw new EwsError('ErrorExceededSubscriptionCount', 'You have exceeded the available subscriptions.')
      }
      const subscription = readSubscription(call, wish, now())
      all.set(subscription.id, subscription)
      const watermark = element('m:Watermark', writeWatermark(lastEvent))
      const id = element('m:SubscriptionId', subscription.id)
      return subscription.kind === 'pull' ? [id, watermark] : [id]
    })
  }

  function unsubscribe(call: EwsCall): Promise<Xml> {
    return answerOne(call, () => {
      const id = textOf(call.request, 'SubscriptionId') ?? ''
      find(call.account, id, all.get(id)?.kind ?? 'pull').wake()
      all.delete(id)
      return []
    })
  }

  function getEvents(call: EwsCall): Promise<Xml> {
    return answerOne(call, () => {
      const subscription = find(call.account, textOf(call.request, 'SubscriptionId') ?? '', 'pull')
      return [pulled(call, subscription, textOf(call.request, 'Watermark') ?? '', lastEvent)]
    })
  }

  return {
    part: {
      operations: {
        Subscribe: subscribe,
        Unsubscribe: unsubscribe,
        GetEvents: getEvents,
        GetStreamingEvents: streams.getStreamingEvents,
      },
      since: { GetStreamingEvents: 'Exchange2010_SP1' },
    },
    tell(event) {
      if (isMuted) return
      const number = ++lastEvent
      for (const subscription of all.values()) offer(subscription, event, number, hasDumpster)
    },
    list: () => [...all.values()],
    mute(muted) {
      isMuted = muted
    },
    end(mailbox) {
      for (const subscription of [...all.values()]) {
        if (mailbox !== undefined && subscription.mailbox !== mailbox) continue
        all.delete(subscription.id)
        subscription.wake()
      }
    },
    dropStreams: streams.drop,
    streamCount: streams.count,
  }
}

function readSubscription(call: EwsCall, wish: XmlNode, now: number): StoredSubscription {
  const kind = { PullSubscriptionRequest: 'pull', StreamingSubscriptionRequest: 'streaming' } as const
  const found = kind[wish.name as keyof typeof kind]
  if (found === undefined) throw invalidRequest(`${wish.name} is not simulated.`)
  const isAll = ['true', '1'].includes(wish.attributes.SubscribeToAllFolders ?? '')
  const ids = childOf(wish, 'FolderIds')?.children ?? []
  if (isAll === ids.length > 0) {
    throw new EwsError('ErrorInvalidSubscriptionRequest', 'The subscription is for all folders, or for some.')
  }
  const folders = ids.map((id) => folderOf(call, id))
  if (folders.some(({ element: name }) => name === 'SearchFolder')) {
    throw new EwsError('ErrorInvalidSubscriptionRequest', 'Subscriptions are not supported for search folders.')
  }
  return newSubscription({
    kind: found,
    owner: call.account.id,
    mailbox: folders[0]?.mailbox.id ?? call.account.mailbox.id,
    folders: isAll ? undefined : new Set(folders),
    types: readTypes(wish),
    timeoutMs: found === 'pull' ? readTimeout(wish) * 60_000 : streamingTimeoutMs,
    usedAt: now,
  })
}

function readTypes(wish: XmlNode): ReadonlySet<EventType> {
  const names = childOf(wish, 'EventTypes')?.children.map(({ text }) => text.trim()) ?? []
  return new Set(eventTypes.filter((type) => names.includes(type)))
}

function readTimeout(wish: XmlNode): number {
  const minutes = Number(textOf(wish, 'Timeout'))
  if (Number.isInteger(minutes) && minutes >= 1 && minutes <= 1440) return minutes
  throw schemaViolation("The 'Timeout' element is invalid: it is 1 to 1440.")
}

/** The events after a watermark; earlier ones are deleted. */
function pulled(call: EwsCall, subscription: StoredSubscription, mark: string, last: number): Xml {
  const since = readWatermark(mark)
  if (since === undefined || since > last) throw new EwsError('ErrorInvalidWatermark', 'The watermark is invalid.')
  if (since < subscription.forgotten) {
    throw new EwsError('ErrorMissedNotificationEvents', 'Some notification events were missed.')
  }
  const { events } = subscription
  while ((events[0]?.number ?? Number.POSITIVE_INFINITY) <= since) events.shift()
  const reported = events.slice(0, maxNotified)
  const quiet = element('t:StatusEvent', [element('t:Watermark', writeWatermark(last))])
  return element('m:Notification', [
    element('t:SubscriptionId', subscription.id),
    element('t:PreviousWatermark', mark),
    element('t:MoreEvents', events.length > reported.length),
    ...(reported.length === 0 ? [quiet] : reported.map((event) => eventXml(call, event, true))),
  ])
}
