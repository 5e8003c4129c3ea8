/**
 * Channels by which Google posts that something changed, one for the list of calendars and one for the events of the main
 * calendar. A channel lasts for some days and cannot be prolonged: another takes its place before.
 */
import { newId } from '../../../lib/ids.ts'
import { digits, object, text } from '../../../lib/json-reader.ts'
import { keepSubscription, type PushSubscription, type SubscriptionSource } from '../../shared/push-subscription.ts'
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
  /** After a refusal: when it is tried again. */
  retryAt?: number
}

/** What is told of a channel that was opened. */
const openedChannel = object({}, { id: text, resourceId: text, expiration: digits })

type Kind = 'list' | 'events'
const kinds: readonly Kind[] = ['list', 'events']

const lifeSeconds = 7 * 86_400
const renewMs = 86_400_000

type PushAddress = NonNullable<Session['io']['push']>
const addressOf = ({ address }: PushAddress): string => `${address}/calendar`

const pathOf = (session: Session, kind: Kind): string =>
  kind === 'list' ? 'users/me/calendarList/watch' : `${calendarPath(session, 'primary')}/events/watch`

/** Whether Google tells of everything that is watched. */
export const hasChannels = (channels: Channels, watched: Record<Kind, boolean>): boolean =>
  kinds.every((kind) => !watched[kind] || channels[kind] !== undefined)

async function open(session: Session, kind: Kind, push: PushAddress): Promise<Channel> {
  const address = addressOf(push)
  const body = { id: newId(), type: 'web_hook', address, token: push.token, params: { ttl: `${lifeSeconds}` } }
  const answer = await session.call('calendar', 'POST', pathOf(session, kind), { body, read: openedChannel })
  const expires = Number(answer.expiration) || session.io.clock.now() + lifeSeconds * 1000
  return { id: answer.id ?? body.id, resourceId: answer.resourceId ?? '', expires, address }
}

/** Opens channels where there are none, and others before they end. Where Google refuses, it is asked again and again. */
export async function keepChannels(
  session: Session,
  channels: Channels,
  watched: Record<Kind, boolean>,
): Promise<Channels> {
  const { push } = session.io
  if (!push) return channels
  let next = channels
  for (const kind of kinds) {
    if (!watched[kind]) continue
    const { [kind]: current, retryAt, ...others } = next
    const kept = await keepSubscription(session, { current, retryAt }, channelSource(session, kind, push))
    next = {
      ...others,
      ...(kept.current ? { [kind]: kept.current } : {}),
      ...(kept.retryAt === undefined ? {} : { retryAt: kept.retryAt }),
    }
    if (next.retryAt !== undefined) break
  }
  return next
}

const channelSource = (session: Session, kind: Kind, push: PushAddress): SubscriptionSource<Channel> => ({
  refusal: 'Google opens no channel for changes of calendars: they are asked for',
  renewMs,
  isCurrent: ({ address }) => address === addressOf(push),
  create: () => open(session, kind, push),
  end: async ({ id, resourceId }) => {
    await session.execute('calendar', 'POST', 'channels/stop', { body: { id, resourceId } })
  },
})
