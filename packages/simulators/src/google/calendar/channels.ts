// Notification channels: a POST without a body for every change of the watched resource.
// https://developers.google.com/workspace/calendar/api/guides/push
import { createHash } from 'node:crypto'
import { isObject } from '../../shared/http.ts'
import { GoogleError } from '../errors.ts'
import type { ApiAnswer, ApiCall } from '../http.ts'
import { type CalendarState, type Channel, calendarState } from './state.ts'

const week = 7 * 24 * 3600 * 1000

/**
 * Google posts only to https addresses; here http on loopback is also accepted, so that tests need no certificate.
 */
function isReachable(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const isLoopback = /^(?:127(?:\.\d+){3}|localhost|\[::1\])$/.test(url?.hostname ?? '')
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback)
}

/** Opens a channel and sends its first notification, `sync`. */
export function openChannel(call: ApiCall, watched: string, resourceUri: string): ApiAnswer {
  const state = calendarState(call.world)
  const { id, type, address, token, expiration, params } = call.json()
  if (typeof id !== 'string' || id === '') throw new GoogleError(400, 'required', 'Required', { location: 'id' })
  if (type !== 'web_hook' && type !== 'webhook') {
    throw new GoogleError(400, 'channelUnknown', 'Unknown channel type')
  }
  if (typeof address !== 'string' || !isReachable(address)) {
    throw new GoogleError(400, 'push.webhookUrlNotHttps', `WebHook callback must be HTTPS: ${String(address)}`)
  }
  if (state.channels.has(id)) throw new GoogleError(400, 'channelIdNotUnique', `Channel id ${id} not unique`)
  const ttl = isObject(params) && Number(params.ttl) > 0 ? Number(params.ttl) * 1000 : week
  const wanted = Number(expiration) > 0 ? Number(expiration) : call.now + ttl
  const channel: Channel = {
    id,
    resourceId: createHash('sha256').update(`${call.account.sub} ${watched}`).digest('base64url').slice(0, 27),
    resourceUri,
    address,
    ...(typeof token === 'string' && { token }),
    expiration: Math.min(wanted, call.now + 4 * week),
    account: call.account.sub,
    watched,
    messages: 0,
  }
  state.channels.set(id, channel)
  post(state, channel, 'sync')
  return {
    json: {
      kind: 'api#channel',
      id,
      resourceId: channel.resourceId,
      resourceUri,
      ...(channel.token !== undefined && { token: channel.token }),
      expiration: String(channel.expiration),
    },
  }
}

export function stopChannel(call: ApiCall): ApiAnswer {
  const { channels } = calendarState(call.world)
  const { id, resourceId } = call.json()
  const channel = channels.get(String(id))
  if (channel?.resourceId !== resourceId || channel?.account !== call.account.sub) {
    throw new GoogleError(404, 'notFound', `Channel '${String(id)}' not found for project 'simulated'`)
  }
  channels.delete(channel.id)
  return {}
}

/** Notifies the channels that watch a resource. */
export function notify(state: CalendarState, watched: string): void {
  const now = state.world.now()
  for (const channel of state.channels.values()) {
    if (channel.watched !== watched) continue
    if (channel.expiration <= now) state.channels.delete(channel.id)
    else post(state, channel, 'exists')
  }
}

function post(state: CalendarState, channel: Channel, resourceState: 'sync' | 'exists'): void {
  channel.messages++
  const headers: Record<string, string> = {
    'X-Goog-Channel-ID': channel.id,
    'X-Goog-Channel-Expiration': new Date(channel.expiration).toUTCString(),
    'X-Goog-Resource-ID': channel.resourceId,
    'X-Goog-Resource-URI': channel.resourceUri,
    'X-Goog-Resource-State': resourceState,
    'X-Goog-Message-Number': String(channel.messages),
  }
  if (channel.token !== undefined) headers['X-Goog-Channel-Token'] = channel.token
  state.world.push({ url: channel.address, headers: () => headers, body: '' })
}
