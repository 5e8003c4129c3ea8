/** What a server answered to PROPFIND, REPORT and PROPPATCH (207, RFC 4918 §13), read into responses with properties. */
import type { XmlElement } from '../../lib/xml.ts'
import { isSameCollection, resolveHref } from './hrefs.ts'
import { childNamed, childrenNamed, type DavName, hasName, nameOf } from './names.ts'

/** The properties of a resource that a server gave. */
export class Props {
  readonly #elements: ReadonlyMap<string, XmlElement>

  constructor(elements: ReadonlyMap<string, XmlElement>) {
    this.#elements = elements
  }

  get(name: DavName): XmlElement | undefined {
    return this.#elements.get(name)
  }

  /** The text of a property, without blanks around it; undefined where it is empty or not there. */
  text(name: DavName): string | undefined {
    return this.get(name)?.text.trim() || undefined
  }

  /** The text as it is, such as that of a calendar object. */
  data(name: DavName): string | undefined {
    return this.get(name)?.text
  }

  /** The names of the elements in a property: the types of a resource, say. */
  names(name: DavName): string[] {
    return this.get(name)?.children.map(nameOf) ?? []
  }

  /** The addresses in a property as they are written, those that are preferred first. */
  hrefs(name: DavName): string[] {
    const isPreferred = ({ attributes }: XmlElement): number => (attributes.preferred === '1' ? 0 : 1)
    return childrenNamed(this.get(name), 'D:href')
      .toSorted((a, b) => isPreferred(a) - isPreferred(b))
      .map(({ text }) => text.trim())
      .filter((text) => text !== '')
  }
}

export interface DavResponse {
  /** Absolute, in the one way that we write addresses. */
  href: string
  /** Of the resource as a whole, where the server says one. */
  status?: number
  /** Those that it has, and was willing to give. */
  props: Props
  /** What the server said of each property that was asked for, by name. */
  propStatus: ReadonlyMap<string, number>
  /** What the server names as the reason, such as `C:no-uid-conflict`. */
  conditions: readonly string[]
}

export interface MultiStatus {
  /** Each resource once. */
  responses: DavResponse[]
  syncToken?: string
  /** The server has more than it told (507 for the collection, RFC 6578 §3.6). */
  truncated: boolean
}

export const isMultiStatus = (root: XmlElement): boolean => hasName(root, 'D:multistatus')

/**
 * Reads the root of an answer, given the address that answered. Responses whose address is none, or is of a host that
 * `isOwn` does not know, are left out.
 */
export function readMultiStatus(root: XmlElement, url: string, isOwn: (href: string) => boolean): MultiStatus {
  const byHref = new Map<string, DavResponse>()
  // Who answered was asked, and so is a host of the account.
  const own = `${new URL(url).origin}/`
  let truncated = false
  for (const element of childrenNamed(root, 'D:response')) {
    for (const response of readResponses(element, url)) {
      if (response.status === 507 && isSameCollection(response.href, url)) truncated = true
      else if ((response.href.startsWith(own) || isOwn(response.href)) && !byHref.has(response.href))
        byHref.set(response.href, response)
    }
  }
  const syncToken = childNamed(root, 'D:sync-token')?.text.trim()
  return { responses: [...byHref.values()], truncated, ...(syncToken ? { syncToken } : {}) }
}

/** One response; several where one status is told of several resources. */
function readResponses(element: XmlElement, url: string): DavResponse[] {
  const status = statusIn(element)
  const { props, propStatus } = readProps(element)
  const conditions = [element, ...childrenNamed(element, 'D:propstat')].flatMap(
    (each) => childNamed(each, 'D:error')?.children.map(nameOf) ?? [],
  )
  return childrenNamed(element, 'D:href').flatMap(({ text }) => {
    const href = resolveHref(text, url)
    return href === undefined
      ? []
      : [{ href, props, propStatus, conditions, ...(status === undefined ? {} : { status }) }]
  })
}

function readProps(element: XmlElement): { props: Props; propStatus: Map<string, number> } {
  const elements = new Map<string, XmlElement>()
  const propStatus = new Map<string, number>()
  for (const propstat of childrenNamed(element, 'D:propstat')) {
    const status = statusIn(propstat) ?? 200
    for (const prop of childNamed(propstat, 'D:prop')?.children ?? []) {
      const name = nameOf(prop)
      propStatus.set(name, status)
      if (isSuccess(status)) elements.set(name, prop)
    }
  }
  return { props: new Props(elements), propStatus }
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300

const statusIn = (element: XmlElement): number | undefined => {
  const code = /^HTTP\/\S+\s+(\d{3})\b/.exec(childNamed(element, 'D:status')?.text.trim() ?? '')?.[1]
  return code === undefined ? undefined : Number(code)
}
