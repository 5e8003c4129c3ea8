/** What changes something at a server: always guarded, so that nobody else's change is overwritten. */
import { mkcalendarBody, mkcolBody, type PropValues, proppatchBody } from './bodies.ts'
import { changedMeanwhile, providerStatus, refusedInside } from './errors.ts'
import { normalised, resolveHref } from './hrefs.ts'
import { type DavResponse, isSuccess, type MultiStatus } from './multistatus.ts'
import type { DavName } from './names.ts'
import { type DavAnswer, hostOf, type Transport } from './transport.ts'

/** When a write may happen: only if the object is as it was read, or if there is none yet. */
export type Guard = { ifMatch: string } | { ifScheduleTagMatch: string } | { ifNoneMatch: '*' }

export interface Written {
  /** Where the object is now; servers may keep it elsewhere than it was put. */
  href: string
  /** Absent where the server told none: it may have changed what it was given, so that it is to be read again. */
  etag?: string
  scheduleTag?: string
}

export interface Writes {
  /** Keeps an object. Throws `conflict` where the guard does not hold. */
  put(url: string, data: string, guard: Guard): Promise<Written>
  /** Removes an object. Throws `not_found`, or `conflict` where the guard does not hold. */
  delete(url: string, guard: Guard, options?: { scheduleReply?: boolean }): Promise<void>
  /** Removes a collection with all that is in it. */
  deleteCollection(url: string): Promise<void>
  mkcalendar(url: string, values: PropValues): Promise<void>
  /** Makes a collection of further types, such as `CR:addressbook`. */
  mkcol(url: string, types: readonly DavName[], values: PropValues): Promise<void>
  /** Sets properties, and removes those that are undefined: all of them, or an error. */
  proppatch(url: string, values: PropValues): Promise<void>
  /** Posts to an outbox, say. */
  post(
    url: string,
    body: string,
    options: { contentType: string; headers?: Record<string, string> },
  ): Promise<DavAnswer>
}

interface Reading {
  multiStatus(answer: DavAnswer): Promise<MultiStatus>
  propsOf(url: string, props: readonly DavName[]): Promise<DavResponse>
}

const isWeak = (etag: string): boolean => etag.startsWith('W/')

function guardHeaders(guard: Guard): Record<string, string> {
  if ('ifNoneMatch' in guard) return { 'if-none-match': guard.ifNoneMatch }
  if ('ifScheduleTagMatch' in guard) return { 'if-schedule-tag-match': guard.ifScheduleTagMatch }
  return isWeak(guard.ifMatch) ? {} : { 'if-match': guard.ifMatch }
}

const contentTypes: readonly [RegExp, string][] = [
  [/^\s*BEGIN:VCALENDAR/i, 'text/calendar; charset=utf-8'],
  [/^\s*BEGIN:VCARD/i, 'text/vcard; charset=utf-8'],
]

const contentTypeOf = (data: string): string =>
  contentTypes.find(([begins]) => begins.test(data))?.[1] ?? 'application/octet-stream'

export function openWrites(transport: Transport, { multiStatus, propsOf }: Reading): Writes {
  /**
   * A weak ETag guards nothing (RFC 9110 §13.1.1): then the object is looked at right before it is written. That leaves
   * a moment, but a server of weak ETags offers nothing better.
   */
  async function checkWeak(url: string, guard: Guard): Promise<void> {
    if (!('ifMatch' in guard) || !isWeak(guard.ifMatch)) return
    const { props } = await propsOf(url, ['D:getetag'])
    if (props.text('D:getetag') !== guard.ifMatch) throw changedMeanwhile()
  }

  /** What a 207 tells of a request that has one outcome: the first failure in it is thrown. */
  async function checkInside(answer: DavAnswer): Promise<void> {
    if (answer.status !== 207) return
    for (const { status = 200, propStatus, conditions } of (await multiStatus(answer)).responses) {
      const failed = [status, ...propStatus.values()].filter((each) => !isSuccess(each))
      // 424 says that another failed: that one is the reason.
      const reason = failed.find((each) => each !== 424) ?? failed[0]
      if (reason !== undefined) throw refusedInside(reason, conditions, hostOf(answer.url))
    }
  }

  const make = async (method: 'MKCALENDAR' | 'MKCOL' | 'PROPPATCH', url: string, body: string): Promise<void> =>
    await checkInside(await transport.send({ method, url, body, headers: { 'content-type': xmlType } }))

  return {
    async put(url, data, guard) {
      await checkWeak(url, guard)
      const headers = { 'content-type': contentTypeOf(data), ...guardHeaders(guard) }
      const answer = await transport.send({ method: 'PUT', url, body: data, headers })
      await checkInside(answer)
      return writtenOf(answer, transport)
    },
    async delete(url, guard, { scheduleReply = true } = {}) {
      await checkWeak(url, guard)
      const headers = { ...guardHeaders(guard), ...(scheduleReply ? {} : { 'schedule-reply': 'F' }) }
      await checkInside(await transport.send({ method: 'DELETE', url, headers }))
    },
    async deleteCollection(url) {
      await checkInside(await transport.send({ method: 'DELETE', url }))
    },
    mkcalendar: (url, values) => make('MKCALENDAR', url, mkcalendarBody(values)),
    mkcol: (url, types, values) => make('MKCOL', url, mkcolBody(types, values)),
    proppatch: (url, values) => make('PROPPATCH', url, proppatchBody(values)),
    post: (url, body, { contentType, headers }) =>
      transport.send({ method: 'POST', url, body, headers: { 'content-type': contentType, ...headers } }),
  }
}

const xmlType = 'application/xml; charset=utf-8'

function writtenOf(answer: DavAnswer, transport: Transport): Written {
  const location = answer.header('location')
  const named = location === undefined ? undefined : resolveHref(location, answer.url)
  const etag = answer.header('etag')
  const scheduleTag = answer.header('schedule-tag')
  return {
    href: named !== undefined && transport.isOwn(named) ? named : normalised(answer.url),
    ...(etag ? { etag } : {}),
    ...(scheduleTag ? { scheduleTag } : {}),
  }
}

/** Whether an error says that the guard did not hold. */
export const isChangedMeanwhile = (error: unknown): boolean => providerStatus(error) === 412
