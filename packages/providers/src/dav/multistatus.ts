/** Answers to PROPFIND, REPORT and PROPPATCH (207, RFC 4918 §13), as responses with properties. */
import type { XmlElement } from '@waypost/platform/xml/xml'
import { childrenNamed, type DavName, nameOf } from './names.ts'

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
