/** The simple types of the schema: how their values are written and read. */
import { escapeXml, type XmlElement, XmlError } from '@waypost/platform/xml/xml'

export class UnreadableElement extends XmlError {
  readonly path: string
  readonly problem: string

  constructor(problem: string, path = '') {
    super(`${path === '' ? 'it' : path} ${problem}`)
    this.problem = problem
    this.path = path
  }
}

/** The same problem, with the name of the parent element. */
export function within(name: string, error: unknown): unknown {
  if (!(error instanceof UnreadableElement)) return error
  return new UnreadableElement(error.problem, error.path === '' ? name : `${name}.${error.path}`)
}

/** The content of an element. */
export interface ElementText {
  /** Each with a leading space. */
  attributes: string
  content: string
}

/** Called for items that are left out of a list because they cannot be read. */
export type OnDropped = (problem: UnreadableElement) => void

/** A type of the schema, with its writer and reader. */
export interface Description<T> {
  write(value: T): ElementText
  /** Undefined if the element is empty. Throws an `UnreadableElement`. */
  read(element: XmlElement, onDropped: OnDropped): T | undefined
}

/** A type whose values are texts, which can also be that of an attribute. */
export interface Scalar<T> extends Description<T> {
  /** Escaped. */
  format(value: T): string
  parse(text: string): T | undefined
}

function scalar<T>(format: (value: T) => string, parse: (text: string) => T | undefined): Scalar<T> {
  return {
    format,
    parse,
    write: (value) => ({ attributes: '', content: format(value) }),
    read: (element) => parse(element.text),
  }
}

/** An element without text has no value, whatever its type. */
const trimmed =
  <T>(parse: (text: string) => T | undefined) =>
  (text: string): T | undefined => {
    const bare = text.trim()
    return bare === '' ? undefined : parse(bare)
  }

export const text: Scalar<string> = scalar(escapeXml, (value) => value)

export const integer: Scalar<number> = scalar(
  (value) => `${value}`,
  trimmed((value) => {
    const number = /^[+-]?\d+$/.test(value) ? Number(value) : Number.NaN
    if (!Number.isSafeInteger(number)) throw new UnreadableElement('is no whole number')
    return number
  }),
)

export const boolean: Scalar<boolean> = scalar(
  (value) => `${value}`,
  trimmed((value) => {
    const known = booleans[value.toLowerCase()]
    if (known === undefined) throw new UnreadableElement('is neither true nor false')
    return known
  }),
)
const booleans: Readonly<Record<string, boolean | undefined>> = { true: true, false: false, 1: true, 0: false }

const instant = /^(-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)?$/

/**
 * xs:dateTime as milliseconds since 1970, written in UTC. A time without a zone is in the zone that the request
 * named, which is UTC.
 */
export const dateTime: Scalar<number> = scalar(
  // Whole seconds have no fraction, as Exchange writes them.
  (value) => new Date(value).toISOString().replace('.000Z', 'Z'),
  trimmed((value) => {
    const [, seconds, fraction = '', zone = 'Z'] = instant.exec(value) ?? []
    // More than three digits are cut off, because not every date parser accepts them.
    const time = Date.parse(`${seconds}${fraction.slice(0, 4)}${zone}`)
    if (Number.isNaN(time)) throw new UnreadableElement('is no time')
    return time
  }),
)

/** xs:dateTime as text, for a local time in a zone that is named elsewhere: `2026-11-15T09:00:00`. */
export const localDateTime: Scalar<string> = scalar(
  escapeXml,
  trimmed((value) => {
    if (!instant.test(value)) throw new UnreadableElement('is no time')
    return value
  }),
)

/** xs:date as `2026-11-15`; a zone after it is ignored. */
export const date: Scalar<string> = scalar(
  escapeXml,
  trimmed((value) => {
    const [, day] = /^(\d{4}-\d\d-\d\d)(?:Z|[+-]\d\d:\d\d)?$/.exec(value) ?? []
    if (day === undefined || Number.isNaN(Date.parse(day))) throw new UnreadableElement('is no date')
    return day
  }),
)

/** Bytes. */
export const base64: Scalar<Buffer> = scalar(
  (value) => value.toString('base64'),
  (value) => {
    if (!/^[A-Za-z0-9+/=\s]*$/.test(value)) throw new UnreadableElement('is no base64')
    return Buffer.from(value, 'base64')
  },
)

/** One of several words. An unknown word is read as `other`, or as absent. */
export function enumeration<const V extends string>(values: readonly V[], other?: V): Scalar<V> {
  return scalar<V>(
    (value) => value,
    trimmed((value) => values.find((known) => known === value) ?? other),
  )
}

/** Several words in one text, such as weekdays: `Monday Friday`. */
export function words<const V extends string>(values: readonly V[]): Scalar<V[]> {
  return scalar<V[]>(
    (value) => value.join(' '),
    trimmed((value) => value.split(/\s+/).flatMap((word) => values.find((known) => known === word) ?? [])),
  )
}
