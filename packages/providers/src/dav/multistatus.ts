/**
 * Answers to PROPFIND, REPORT and PROPPATCH (207, RFC 4918 §13), as responses with properties. Parsing is pure. The input is
 * untrusted: one response is in memory at a time, and its cost does not depend on the others.
 */
import { parseXmlChildren, type XmlChildLimits, type XmlElement, XmlTooLarge } from '@waypost/platform/xml/xml'
import { type OwnHosts, ownAddressCheck } from '../shared/domain-hosts.ts'
import { hrefResolver, isSameCollection } from './hrefs.ts'
import { childNamed, childrenNamed, type DavName, hasName, nameOf } from './names.ts'

/** The properties of a resource that a server returned. */
export class Props {
  readonly #elements: ReadonlyMap<string, XmlElement>

  constructor(elements: ReadonlyMap<string, XmlElement>) {
    this.#elements = elements
  }

  get(name: DavName): XmlElement | undefined {
    return this.#elements.get(name)
  }

  /** The trimmed text of a property; undefined if it is empty or missing. */
  text(name: DavName): string | undefined {
    return this.get(name)?.text.trim() || undefined
  }

  /** The exact text, such as that of a calendar object. */
  data(name: DavName): string | undefined {
    return this.get(name)?.text
  }

  /** The names of the elements in a property, for example the types of a resource. */
  names(name: DavName): string[] {
    return this.get(name)?.children.map(nameOf) ?? []
  }

  /** The addresses in a property as written, preferred ones first. */
  hrefs(name: DavName): string[] {
    const isPreferred = ({ attributes }: XmlElement): number => (attributes.preferred === '1' ? 0 : 1)
    return childrenNamed(this.get(name), 'D:href')
      .toSorted((a, b) => isPreferred(a) - isPreferred(b))
      .map(({ text }) => text.trim())
      .filter((text) => text !== '')
  }
}

export interface DavResponse {
  /** Absolute and normalized. */
  href: string
  /** The status of the resource as a whole, if the server sends one. */
  status?: number
  /** The properties that exist and that the server returned. */
  props: Props
  /** The status of each requested property, by name. */
  propStatus: ReadonlyMap<string, number>
  /** The reasons that the server names, such as `C:no-uid-conflict`. */
  conditions: readonly string[]
}

export interface MultiStatus {
  /** Each resource once. */
  responses: DavResponse[]
  syncToken?: string
  /** The server has more results than it returned (507 for the collection, RFC 6578 §3.6). */
  truncated: boolean
}

/** A response as plain data, as sent by the worker thread. */
export interface ReportedResponse extends Omit<DavResponse, 'props' | 'propStatus'> {
  props: [name: string, element: XmlElement][]
  propStatus: [name: string, status: number][]
}

/** The values of an answer outside its responses. */
export interface MultiStatusEnd {
  syncToken?: string | undefined
  truncated: boolean
  /** The number of responses that exceed the size limit. */
  passedOver: number
}

export const responseOf = ({ props, propStatus, ...reported }: ReportedResponse): DavResponse => ({
  ...reported,
  props: new Props(new Map(props)),
  propStatus: new Map(propStatus),
})

export const isSuccess = (status: number): boolean => status >= 200 && status < 300

export interface MultiStatusSource {
  body: Uint8Array
  /** The address that answered. */
  url: string
  /** Responses about other hosts are omitted. */
  hosts: OwnHosts
}

/** Limits of one answer: resources, and objects with their data. */
const maxResponses = 100_000
const maxObjects = 20_000

/**
 * A response has about ten elements; a calendar with all its privileges has a few hundred. An object may have 10 MB.
 */
export const answerLimits: XmlChildLimits = {
  elementsOfChild: 5_000,
  charactersOfChild: 10_000_000,
}

/** Limits for parsing on the main thread: some milliseconds of work. */
export const smallLimits: XmlChildLimits = {
  ...answerLimits,
  characters: 256 * 1024,
  elements: 5_000,
  attributes: 5_000,
  references: 20_000,
}

/**
 * Visits each resource once. Returns undefined if the answer is other XML; throws an XmlError if it is not XML or too
 * large.
 */
export function readMultiStatus(
  { body, url, hosts }: MultiStatusSource,
  limits: XmlChildLimits,
  take: (response: ReportedResponse, element: XmlElement) => void,
): MultiStatusEnd | undefined {
  const seen = new Set<string>()
  const isOwn = ownTest(url, hosts)
  const resolve = hrefResolver(url)
  const end: MultiStatusEnd = { truncated: false, passedOver: 0 }
  let objects = 0
  const { root, passedOver } = parseXmlChildren(body, limits, (element) => {
    if (hasName(element, 'D:sync-token')) end.syncToken ??= element.text.trim() || undefined
    if (!hasName(element, 'D:response')) return
    for (const response of readResponses(element, resolve)) {
      if (response.status === 507 && isSameCollection(response.href, url)) end.truncated = true
      else if (!seen.has(response.href) && isOwn(response.href)) {
        seen.add(response.href)
        if (holdsObject(response)) objects += 1
        if (seen.size > maxResponses) throw new XmlTooLarge(`the answer has more than ${maxResponses} responses`)
        if (objects > maxObjects) throw new XmlTooLarge(`the answer has more than ${maxObjects} objects`)
        take(response, element)
      }
    }
  })
  return hasName(root, 'D:multistatus') ? { ...end, passedOver } : undefined
}

const holdsObject = ({ props }: ReportedResponse): boolean =>
  props.some(([name]) => name === 'C:calendar-data' || name === 'CR:address-data')

/** Whether an address belongs to the account; the result is cached per host. */
function ownTest(url: string, hosts: OwnHosts): (href: string) => boolean {
  // The answering host was contacted, so it belongs to the account.
  const own = `${new URL(url).origin}/`
  const isHostOf = ownAddressCheck(hosts)
  const known = new Map<string, boolean>()
  return (href) => {
    if (href.startsWith(own)) return true
    const origin = href.slice(0, href.indexOf('/', 'https://'.length))
    const before = known.get(origin)
    if (before !== undefined) return before
    const isOwn = isHostOf(href)
    known.set(origin, isOwn)
    return isOwn
  }
}

/** One response, or several if one status applies to several resources (RFC 4918 §14.24). */
function readResponses(element: XmlElement, resolve: (href: string) => string | undefined): ReportedResponse[] {
  const status = statusIn(element)
  const { props, propStatus } = readProps(element)
  const conditions = [element, ...childrenNamed(element, 'D:propstat')].flatMap(
    (each) => childNamed(each, 'D:error')?.children.map(nameOf) ?? [],
  )
  return childrenNamed(element, 'D:href').flatMap(({ text }) => {
    const href = resolve(text)
    return href === undefined
      ? []
      : [{ href, props, propStatus, conditions, ...(status === undefined ? {} : { status }) }]
  })
}

function readProps(element: XmlElement): Pick<ReportedResponse, 'props' | 'propStatus'> {
  const props: [string, XmlElement][] = []
  const propStatus: [string, number][] = []
  for (const propstat of childrenNamed(element, 'D:propstat')) {
    const status = statusIn(propstat) ?? 200
    for (const prop of childNamed(propstat, 'D:prop')?.children ?? []) {
      const name = nameOf(prop)
      propStatus.push([name, status])
      if (isSuccess(status)) props.push([name, prop])
    }
  }
  return { props, propStatus }
}

const statusIn = (element: XmlElement): number | undefined => {
  const text = childNamed(element, 'D:status')?.text.trim().slice(0, 100) ?? ''
  const code = /^HTTP\/\S+\s+(\d{3})\b/.exec(text)?.[1]
  return code === undefined ? undefined : Number(code)
}
