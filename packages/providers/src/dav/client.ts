/** A client of one CalDAV or CardDAV server. */
import { concurrentMap } from '@waypost/platform/concurrent-map'
import { unpackSlices } from '@waypost/platform/parsing/slices'
import { forEachYielding } from '@waypost/platform/parsing/yielding'
import { XmlError, XmlTooLarge } from '@waypost/platform/xml/xml'
import { smallAnswer } from '../shared/answer-threads.ts'
import {
  addressbookQueryBody,
  type CalendarFilter,
  calendarQueryBody,
  multigetBody,
  type ObjectKind,
  propfindBody,
} from './bodies.ts'
import { notDav, refusedInside } from './errors.ts'
import { isSameCollection, normalised } from './hrefs.ts'
import {
  answerLimits,
  type DavResponse,
  type MultiStatus,
  type MultiStatusEnd,
  type MultiStatusSource,
  readMultiStatus,
  responseOf,
  smallLimits,
} from './multistatus.ts'
import type { DavName } from './names.ts'
import { listEtags, type SyncResult, syncCollection } from './sync.ts'
import { type DavAnswer, hostOf, type Transport } from './transport.ts'
import { openWrites, tags, tagsOf, type WriteResult, type Writes } from './writes.ts'

/** A calendar object or a card, as stored by the server. */
export interface DavObject extends WriteResult {
  /** iCalendar or vCard. */
  data: string
}

export type { CalendarFilter, PropValues } from './bodies.ts'
export type { DavResponse, MultiStatus, Props } from './multistatus.ts'
export type { DavName } from './names.ts'
export type { SyncResult } from './sync.ts'
export type { Guard, WriteResult } from './writes.ts'

export interface DavClient extends Writes {
  /**
   * The properties of a resource, and with depth 1 also of its direct members. Throws `not_found` if it does not
   * exist.
   */
  propfind(url: string, options: { depth: 0 | 1; props: readonly DavName[] }): Promise<MultiStatus>
  /** The properties of one resource, regardless of the href in the answer. */
  propsOf(url: string, props: readonly DavName[]): Promise<DavResponse>
  report(url: string, body: string, options?: { depth?: 0 | 1; retries?: boolean }): Promise<MultiStatus>
  /** The objects at these addresses, in the same order. Missing ones are omitted. */
  multiget(collection: string, hrefs: readonly string[]): Promise<DavObject[]>
  /** The objects of a calendar that match a filter. */
  query(calendar: string, filter: CalendarFilter): Promise<DavObject[]>
  /** All cards of an address book. */
  queryCards(book: string): Promise<DavObject[]>
  /** The changes in a collection since a token, or all its members without one. */
  sync(collection: string, token?: string): Promise<SyncResult | 'expired'>
  /** The ETags of a collection by address. For servers without sync tokens, or whose token has expired. */
  etags(collection: string): Promise<Map<string, string>>
  /** One object, regardless of its content type. */
  get(url: string): Promise<DavObject>
  /** The bytes at an address, such as a picture; undefined if the account's credentials must not be sent there. */
  download(
    url: string,
    options: { maxBytes: number },
  ): Promise<{ body: Buffer; contentType: string | undefined } | undefined>
  /** The features in the server's `DAV` header. */
  features(url: string): Promise<Set<string>>
}

/** Hrefs per multiget, and the number of concurrent multigets. */
const hrefsPerMultiget = 50
const multigetsAtOnce = 2
/** How often a range may be halved if the server truncates its answer. */
const maxHalvings = 8
const reportDeadlineMs = 60_000
/** The maximum size of an object. */
const objectBytes = 12 * 1024 * 1024

export function openClient(transport: Transport, kind: ObjectKind): DavClient {
  const multiStatus = (answer: DavAnswer): Promise<MultiStatus> => multiStatusOf(transport, answer)

  const propfind: DavClient['propfind'] = async (url, { depth, props }) => {
    const request = { method: 'PROPFIND', url, headers: xmlHeaders(depth), body: propfindBody(props) } as const
    return multiStatus(await transport.send(depth === 0 ? request : { ...request, deadlineMs: reportDeadlineMs }))
  }

  const propsOf: DavClient['propsOf'] = async (url, props) => {
    const { responses } = await propfind(url, { depth: 0, props })
    const found = responses.find(({ href }) => isSameCollection(href, normalised(url))) ?? responses[0]
    if (found === undefined) throw notDav(hostOf(url))
    if (found.status !== undefined && found.status >= 300) throw refusedInside(found.status, [], hostOf(url))
    return found
  }

  const report: DavClient['report'] = async (url, body, { depth = 1, retries = true } = {}) =>
    multiStatus(
      await transport.send({
        method: 'REPORT',
        url,
        headers: xmlHeaders(depth),
        body,
        retries,
        deadlineMs: reportDeadlineMs,
      }),
    )

  const objectsIn = async ({ responses }: MultiStatus, collection: string): Promise<DavObject[]> => {
    const objects: DavObject[] = []
    await forEachYielding(responses, (response) => {
      const object = objectOf(response, kind, collection)
      if (object) objects.push(object)
    })
    return objects
  }

  const multiget: DavClient['multiget'] = async (collection, hrefs) => {
    const batches = Array.from({ length: Math.ceil(hrefs.length / hrefsPerMultiget) }, (_, index) =>
      hrefs.slice(index * hrefsPerMultiget, (index + 1) * hrefsPerMultiget),
    )
    const found = new Map<string, DavObject>()
    await concurrentMap(batches, multigetsAtOnce, async (batch) => {
      const answer = await report(collection, multigetBody(kind, batch), { depth: 0 })
      for (const object of await objectsIn(answer, collection)) found.set(object.href, object)
    })
    return hrefs.flatMap((href) => found.get(normalised(href)) ?? [])
  }

  const everything = async (collection: string): Promise<DavObject[]> =>
    multiget(collection, [...(await listEtags({ propfind }, collection)).keys()])

  const query = async (calendar: string, filter: CalendarFilter, halvings = maxHalvings): Promise<DavObject[]> => {
    const answer = await report(calendar, calendarQueryBody(filter))
    if (!answer.truncated) return objectsIn(answer, calendar)
    const { range } = filter
    if (range === undefined || halvings === 0) return everything(calendar)
    const middle = Math.floor((range.from + range.to) / 2)
    const first = await query(calendar, { ...filter, range: { from: range.from, to: middle } }, halvings - 1)
    const second = await query(calendar, { ...filter, range: { from: middle, to: range.to } }, halvings - 1)
    return [...new Map([...first, ...second].map((object) => [object.href, object])).values()]
  }

  return {
    ...openWrites(transport, { multiStatus, propsOf }),
    propfind,
    propsOf,
    report,
    multiget,
    query: (calendar, filter) => query(calendar, filter),
    async queryCards(book) {
      const answer = await report(book, addressbookQueryBody())
      return answer.truncated ? everything(book) : objectsIn(answer, book)
    },
    sync: (collection, token) => syncCollection({ report }, collection, token),
    etags: (collection) => listEtags({ propfind }, collection),
    async get(url) {
      const answer = await transport.send({ method: 'GET', url, maxBytes: objectBytes })
      return { href: normalised(answer.url), data: answer.body.toString(), ...tagsOf(answer) }
    },
    async download(url, { maxBytes }) {
      if (!URL.canParse(url) || !transport.isOwn(url)) return undefined
      const answer = await transport.send({ method: 'GET', url, maxBytes })
      return { body: answer.body, contentType: answer.header('content-type') ?? undefined }
    },
    async features(url) {
      const answer = await transport.send({ method: 'OPTIONS', url })
      return new Set(answer.headerList('dav').map((feature) => feature.toLowerCase()))
    },
  }
}

export const xmlHeaders = (depth?: 0 | 1): Record<string, string> => ({
  'content-type': 'application/xml; charset=utf-8',
  accept: 'application/xml, text/xml, text/calendar',
  ...(depth === undefined ? {} : { depth: `${depth}` }),
})

const dataNames: Record<ObjectKind, DavName> = { calendar: 'C:calendar-data', contacts: 'CR:address-data' }

/** The object in a response; undefined if it is the collection itself or is missing. */
function objectOf({ href, props }: DavResponse, kind: ObjectKind, collection: string): DavObject | undefined {
  const data = props.data(dataNames[kind])
  if (!data?.trim() || isSameCollection(href, collection)) return undefined
  return { href, data, ...tags(props.text('D:getetag'), props.text('C:schedule-tag')) }
}

type Read = MultiStatusEnd & { responses: DavResponse[] }

/** The responses in a server's answer; throws if the server does not answer as a DAV server. */
async function multiStatusOf({ io, hosts }: Transport, answer: DavAnswer): Promise<MultiStatus> {
  const { body, url } = answer
  const host = hostOf(url)
  const read = await responsesIn(io, { body, url, hosts }).catch((error: unknown) => {
    throw error instanceof XmlError ? notDav(host, error, answer) : error
  })
  if (!read) throw notDav(host, undefined, answer)
  const { responses, syncToken, truncated, passedOver } = read
  if (passedOver > 0) {
    io.log.warn({ host, count: passedOver }, 'a DAV server answered with objects that are too large; they are left out')
  }
  return { responses, truncated, ...(syncToken ? { syncToken } : {}) }
}

async function responsesIn(io: Transport['io'], source: MultiStatusSource): Promise<Read | undefined> {
  const { answers } = io
  if (!answers) return readHere(source, answerLimits)
  if (source.body.length <= smallAnswer) {
    try {
      return readHere(source, smallLimits)
    } catch (error) {
      if (!(error instanceof XmlTooLarge)) throw error
    }
  }
  const [outcome] = await answers.run('multiStatus', [source], io.signal)
  if (!outcome?.ok) throw new XmlTooLarge(outcome?.message ?? '')
  if (!outcome.value) return undefined
  const { slices, ...end } = outcome.value
  const responses: DavResponse[] = []
  await unpackSlices<Parameters<typeof responseOf>[0]>(slices, (reported) => responses.push(responseOf(reported)))
  return { ...end, responses }
}

function readHere(source: MultiStatusSource, limits: typeof answerLimits): Read | undefined {
  const responses: DavResponse[] = []
  const end = readMultiStatus(source, limits, (reported) => responses.push(responseOf(reported)))
  return end && { ...end, responses }
}
