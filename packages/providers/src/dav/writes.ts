/** Write requests. They are always conditional, so that concurrent changes are not overwritten. */
import { mkcalendarBody, mkcolBody, type PropValues, proppatchBody } from './bodies.ts'
import { changedMeanwhile, providerStatus, refusedInside } from './errors.ts'
import { normalised, resolveHref } from './hrefs.ts'
import { type DavResponse, isSuccess, type MultiStatus } from './multistatus.ts'
import type { DavName } from './names.ts'
import { type DavAnswer, hostOf, type Transport } from './transport.ts'

/** The condition of a write: the object is unchanged since it was read, or does not exist yet. */
export type Guard = { ifMatch: string } | { ifScheduleTagMatch: string } | { ifNoneMatch: '*' }

export interface WriteResult {
  /** Absolute and normalized; servers may store an object at another address than requested. */
  href: string
  /**
   * As the server wrote it, including quotes; a weak one begins with `W/`. Absent if the server sent none: after a write it
   * may have changed the data, so the object must be read again.
   */
  etag?: string
  scheduleTag?: string
}

/** The tags of an object that a server named. */
export const tags = (etag: string | undefined, scheduleTag: string | undefined): Omit<WriteResult, 'href'> => ({
  ...(etag ? { etag } : {}),
  ...(scheduleTag ? { scheduleTag } : {}),
})

export const tagsOf = ({ header }: DavAnswer): Omit<WriteResult, 'href'> => tags(header('etag'), header('schedule-tag'))

export interface Writes {
  /** Stores an object. Throws `conflict` if the guard fails. */
  put(url: string, data: string, guard: Guard): Promise<WriteResult>
  /** Deletes an object. Throws `not_found`, or `conflict` if the guard fails. */
  delete(url: string, guard: Guard, options?: { scheduleReply?: boolean }): Promise<void>
  /** Deletes a collection with all its members. */
  deleteCollection(url: string): Promise<void>
  mkcalendar(url: string, values: PropValues): Promise<void>
  /** Creates a collection with further types, such as `CR:addressbook`. */
  mkcol(url: string, types: readonly DavName[], values: PropValues): Promise<void>
  /** Sets properties and removes undefined ones: all of them, or an error. */
  proppatch(url: string, values: PropValues): Promise<void>
  /** Sends a POST request, for example to an outbox. */
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
   * A weak ETag is no guard (RFC 9110 §13.1.1), so the object is checked right before the write. That leaves a short
   * gap, but a server with weak ETags offers nothing better.
   */
  async function checkWeak(url: string, guard: Guard): Promise<void> {
    if (!('ifMatch' in guard) || !isWeak(guard.ifMatch)) return
    const { props } = await propsOf(url, ['D:getetag'])
    if (props.text('D:getetag') !== guard.ifMatch) throw changedMeanwhile()
  }

  /** Throws the first failure inside a 207 answer to a request with a single outcome. */
  async function checkInside(answer: DavAnswer): Promise<void> {
    if (answer.status !== 207) return
    for (const { status = 200, propStatus, conditions } of (await multiStatus(answer)).responses) {
      const failed = [status, ...propStatus.values()].filter((each) => !isSuccess(each))
      // 424 means that another part failed; that one is the reason.
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

function writtenOf(answer: DavAnswer, transport: Transport): WriteResult {
  const location = answer.header('location')
  const named = location === undefined ? undefined : resolveHref(location, answer.url)
  return {
    href: named !== undefined && transport.isOwn(named) ? named : normalised(answer.url),
    ...tagsOf(answer),
  }
}

/** Whether an error means that the guard failed. */
export const isChangedMeanwhile = (error: unknown): boolean => providerStatus(error) === 412
