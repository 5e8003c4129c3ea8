/**
 * Channels by which Google posts that something changed, one for the list of calendars and one for the events of the main
 * calendar. A channel lasts for some days and cannot be prolonged: another takes its place before.
 */
import { ApiError } from '../../../lib/api-error.ts'
import { newId } from '../../../lib/ids.ts'
import type { Session } from '../session.ts'
import { calendarPath } from './calendar-api.ts'

interface Channel {
  id: string
  resourceId: string
  /** Milliseconds. */
  expires: number
  /** Where it posts to. */
  address: string
}

export interface Channels {
  list?: Channel
  events?: Channel
  /** After a refusal: when it is tried again. */
  retryAt?: number
}

type Kind = 'list' | 'events'
const kinds: readonly Kind[] = ['list', 'events']

const lifeSeconds = 7 * 86_400
const renewMs = 86_400_000
const retryMs = 3_600_000

const pathOf = (session: Session, kind: Kind): string =>
  kind === 'list' ? 'users/me/calendarList/watch' : `${calendarPath(session, 'primary')}/events/watch`

/** Whether Google tells of everything that is watched. */
export const hasChannels = (channels: Channels, watched: Record<Kind, boolean>): boolean =>
  kinds.every((kind) => !watched[kind] || channels[kind] !== undefined)

async function open(session: Session, kind: Kind, push: { address: string; token: string }): Promise<Channel> {
  const address = `${push.address}/calendar`
  const body = { id: newId(), type: 'web_hook', address, token: push.token, params: { ttl: `${lifeSeconds}` } }
  const answer = await session.call<{ id?: string; resourceId?: string; expiration?: string }>(
    'calendar',
    'POST',
    pathOf(session, kind),
    { body },
  )
  const expires = Number(answer.expiration) || session.io.clock.now() + lifeSeconds * 1000
  return { id: answer.id ?? body.id, resourceId: answer.resourceId ?? '', expires, address }
}

/** Ends a channel; one that is gone already has ended. */
async function stop(session: Session, { id, resourceId }: Channel): Promise<void> {
  try {
    await session.call('calendar', 'POST', 'channels/stop', { body: { id, resourceId } })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'grant_invalid') throw error
    session.io.log.debug({ channel: id }, 'a channel of Google could not be stopped')
  }
}

/** Opens channels where there are none, and others before they end. Where Google refuses, it is asked again and again. */
export async function keepChannels(
  session: Session,
  channels: Channels,
  watched: Record<Kind, boolean>,
): Promise<Channels> {
  const { push, clock, log } = session.io
  const now = clock.now()
  if (!push || (channels.retryAt ?? 0) > now) return channels
  const next: Channels = { ...channels }
  delete next.retryAt
  for (const kind of kinds) {
    const before = channels[kind]
    const lasts = before && before.expires - now > renewMs && before.address === `${push.address}/calendar`
    if (!watched[kind] || lasts) continue
    try {
      next[kind] = await open(session, kind, push)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === 'grant_invalid') throw error
      log.warn({ reason: error.message }, 'Google opens no channel for changes of calendars: they are asked for')
      return { ...next, retryAt: now + retryMs, ...(before && before.expires > now ? {} : { [kind]: undefined }) }
    }
    if (before && before.expires > now) await stop(session, before)
  }
  return next
}
