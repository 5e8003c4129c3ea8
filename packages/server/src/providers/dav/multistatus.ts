/** What a server answered to PROPFIND, REPORT and PROPPATCH (207, RFC 4918 §13), as responses with properties. */
import type { XmlElement } from '../../lib/xml/xml.ts'
import { childrenNamed, type DavName, nameOf } from './names.ts'

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

/** A response as plain data, on its way from the thread that read it. */
export interface ToldResponse extends Omit<DavResponse, 'props' | 'propStatus'> {
  props: [name: string, element: XmlElement][]
  propStatus: [name: string, status: number][]
}

/** What an answer says beside its responses. */
export interface MultiStatusEnd {
  syncToken?: string | undefined
  truncated: boolean
  /** Responses that are larger than may be read. */
  passedOver: number
}

export const responseOf = ({ props, propStatus, ...told }: ToldResponse): DavResponse => ({
  ...told,
  props: new Props(new Map(props)),
  propStatus: new Map(propStatus),
})

export const isSuccess = (status: number): boolean => status >= 200 && status < 300
