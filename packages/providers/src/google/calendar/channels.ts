/**
 * Push channels: one for the list of calendars, one for the events of the primary calendar, and one for those of each
 * other calendar. A channel lasts some days and cannot be renewed, so another one replaces it before it ends.
 * Calendars for which Google opens no channel, such as holidays, are polled.
 */
import { ApiError } from '@waypost/platform/api-error'
import { newId } from '@waypost/platform/ids'
import { digits, object, text } from '@waypost/platform/json/reader'
import {
  keepSubscription,
  type PushSubscription,
  type StoredSubscription,
  type SubscriptionSource,
} from '../../shared/push-subscription.ts'
import type { Session } from '../session.ts'
import { calendarPath } from './calendar-api.ts'

interface Channel extends PushSubscription {
  id: string
  resourceId: string
  /** The URL that it posts to. */
  address: string
}

export interface Channels {
  list?: Channel
  events?: Channel
  /** For the events of other calendars, by id. */
  calendars?: Record<string, StoredSubscription<Channel>>
  /** After a refusal: when to try again. */
  retryAt?: number
}

/** The answer after opening a channel. */
const openedChannel = object({}, { id: text, resourceId: text, expiration: digits })

type Kind = 'list' | 'events'
const kinds: readonly Kind[] = ['list', 'events']

/** The resources that need channels. */
export interface WatchedResources extends Record<Kind, boolean> {
  /** The ids of all calendars except the primary one. */
  calendars: readonly string[]
}

const lifeSeconds = 7 * 86_400
const renewMs = 86_400_000

type PushAddress = NonNullable<Session['io']['push']>
const addressOf = ({ address }: PushAddress): string => `${address}/calendar`

const listPath = 'users/me/calendarList/watch'
const eventsPath = (session: Session, id: string): string => `${calendarPath(session, id)}/events/watch`

/**
 * Whether there are channels for everything that is watched, except for calendars that Google opens no channel for.
 */
export const hasChannels = (channels: Channels, { calendars, ...watched }: WatchedResources): boolean =>
  kinds.every((kind) => !watched[kind] || channels[kind] !== undefined) &&
  calendars.every((id) => channels.calendars?.[id] !== undefined)

async function open(session: Session, path: string, push: PushAddress): Promise<Channel> {
  const address = addressOf(push)
  const body = { id: newId(), type: 'web_hook', address, token: push.token, params: { ttl: `${lifeSeconds}` } }
  const answer = await session.call('calendar', 'POST', path, { body, read: openedChannel })
  const expires = Number(answer.expiration) || session.io.clock.now() + lifeSeconds * 1000
  return { id: answer.id ?? body.id, resourceId: answer.resourceId ?? '', expires, address }
}

/** Opens missing channels and replaces those that end soon. If Google refuses, the resource is polled. */
export async function keepChannels(session: Session, channels: Channels, watched: WatchedResources): Promise<Channels> {
  const { push } = session.io
  if (!push) return channels
  let next = channels
  for (const kind of kinds) {
    if (!watched[kind]) continue
    const { [kind]: current, retryAt, ...others } = next
    const path = kind === 'list' ? listPath : eventsPath(session, 'primary')
    const retained = await keepSubscription(session, { current, retryAt }, channelSource(session, path, push))
    next = {
      ...others,
      ...(retained.current ? { [kind]: retained.current } : {}),
      ...(retained.retryAt === undefined ? {} : { retryAt: retained.retryAt }),
    }
    if (next.retryAt !== undefined) return next
  }
  return withCalendars(next, await keepOfCalendars(session, next.calendars ?? {}, watched.calendars, push))
}

function withCalendars(
  { calendars: _, ...channels }: Channels,
  retained: NonNullable<Channels['calendars']>,
): Channels {
  return Object.keys(retained).length === 0 ? channels : { ...channels, calendars: retained }
}

/** The same for the other calendars, each by itself. Channels of deleted calendars are closed. */
async function keepOfCalendars(
  session: Session,
  before: NonNullable<Channels['calendars']>,
  ids: readonly string[],
  push: PushAddress,
): Promise<NonNullable<Channels['calendars']>> {
  const retained: NonNullable<Channels['calendars']> = {}
  for (const id of ids) {
    retained[id] = await keepSubscription(
      session,
      before[id] ?? {},
      channelSource(session, eventsPath(session, id), push),
    )
  }
  for (const [id, { current }] of Object.entries(before)) {
    if (!(id in retained) && current && current.expires > session.io.clock.now()) await stopChannel(session, current)
  }
  return retained
}

async function end(session: Session, { id, resourceId }: Channel): Promise<void> {
  await session.execute('calendar', 'POST', 'channels/stop', { body: { id, resourceId } })
}

/** Closes a channel that is not needed any more. If that fails, the channel expires by itself. */
async function stopChannel(session: Session, channel: Channel): Promise<void> {
  try {
    await end(session, channel)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'grant_invalid') throw error
    session.io.log.debug({ error, grant_id: session.grant.id }, 'a channel that is not needed could not be ended')
  }
}

const channelSource = (session: Session, path: string, push: PushAddress): SubscriptionSource<Channel> => ({
  refusal: 'Google opens no channel for changes of calendars: they are asked for',
  renewMs,
  isCurrent: ({ address }) => address === addressOf(push),
  create: () => open(session, path, push),
  end: (channel) => end(session, channel),
})
