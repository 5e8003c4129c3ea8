/**
 * Channels by which Google posts that something changed: one for the list of calendars, one for the events of the main
 * calendar, and one for those of each other. A channel lasts for some days and cannot be prolonged: another takes its place
 * before. Calendars that Google opens no channel for, such as those of holidays, are asked for.
 */
import { ApiError } from '../../../lib/api-error.ts'
import { newId } from '../../../lib/ids.ts'
import { digits, object, text } from '../../../lib/json/reader.ts'
import {
  type KeptSubscription,
  keepSubscription,
  type PushSubscription,
  type SubscriptionSource,
} from '../../shared/push-subscription.ts'
import type { Session } from '../session.ts'
import { calendarPath } from './calendar-api.ts'

interface Channel extends PushSubscription {
  id: string
  resourceId: string
  /** Where it posts to. */
  address: string
}

export interface Channels {
  list?: Channel
  events?: Channel
  /** For the events of other calendars, by their ids. */
  calendars?: Record<string, KeptSubscription<Channel>>
  /** After a refusal: when it is tried again. */
  retryAt?: number
}

/** What is told of a channel that was opened. */
const openedChannel = object({}, { id: text, resourceId: text, expiration: digits })

type Kind = 'list' | 'events'
const kinds: readonly Kind[] = ['list', 'events']

/** What there should be channels for. */
export interface Watched extends Record<Kind, boolean> {
  /** The ids of other calendars than the main one. */
  calendars: readonly string[]
}

const lifeSeconds = 7 * 86_400
const renewMs = 86_400_000

type PushAddress = NonNullable<Session['io']['push']>
const addressOf = ({ address }: PushAddress): string => `${address}/calendar`

const listPath = 'users/me/calendarList/watch'
const eventsPath = (session: Session, id: string): string => `${calendarPath(session, id)}/events/watch`

/** Whether Google tells of all that is watched, as far as it opens channels for other calendars than the main one. */
export const hasChannels = (channels: Channels, { calendars, ...watched }: Watched): boolean =>
  kinds.every((kind) => !watched[kind] || channels[kind] !== undefined) &&
  calendars.every((id) => channels.calendars?.[id] !== undefined)

async function open(session: Session, path: string, push: PushAddress): Promise<Channel> {
  const address = addressOf(push)
  const body = { id: newId(), type: 'web_hook', address, token: push.token, params: { ttl: `${lifeSeconds}` } }
  const answer = await session.call('calendar', 'POST', path, { body, read: openedChannel })
  const expires = Number(answer.expiration) || session.io.clock.now() + lifeSeconds * 1000
  return { id: answer.id ?? body.id, resourceId: answer.resourceId ?? '', expires, address }
}

/** Opens channels where there are none, and others before they end. Where Google refuses, it is asked again and again. */
export async function keepChannels(session: Session, channels: Channels, watched: Watched): Promise<Channels> {
  const { push } = session.io
  if (!push) return channels
  let next = channels
  for (const kind of kinds) {
    if (!watched[kind]) continue
    const { [kind]: current, retryAt, ...others } = next
    const path = kind === 'list' ? listPath : eventsPath(session, 'primary')
    const kept = await keepSubscription(session, { current, retryAt }, channelSource(session, path, push))
    next = {
      ...others,
      ...(kept.current ? { [kind]: kept.current } : {}),
      ...(kept.retryAt === undefined ? {} : { retryAt: kept.retryAt }),
    }
    if (next.retryAt !== undefined) return next
  }
  return withCalendars(next, await keepOfCalendars(session, next.calendars ?? {}, watched.calendars, push))
}

function withCalendars({ calendars: _, ...channels }: Channels, kept: NonNullable<Channels['calendars']>): Channels {
  return Object.keys(kept).length === 0 ? channels : { ...channels, calendars: kept }
}

/** The same for other calendars, each for itself; channels of calendars that are gone are ended. */
async function keepOfCalendars(
  session: Session,
  before: NonNullable<Channels['calendars']>,
  ids: readonly string[],
  push: PushAddress,
): Promise<NonNullable<Channels['calendars']>> {
  const kept: NonNullable<Channels['calendars']> = {}
  for (const id of ids) {
    kept[id] = await keepSubscription(session, before[id] ?? {}, channelSource(session, eventsPath(session, id), push))
  }
  for (const [id, { current }] of Object.entries(before)) {
    if (!(id in kept) && current && current.expires > session.io.clock.now()) await stopChannel(session, current)
  }
  return kept
}

async function end(session: Session, { id, resourceId }: Channel): Promise<void> {
  await session.execute('calendar', 'POST', 'channels/stop', { body: { id, resourceId } })
}

/** Ends one that is not needed any more; it goes by itself where that fails. */
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
