/** Builds request bodies. */
import { escapeXml } from '@waypost/platform/xml/xml'
import { type DavName, declarations } from './names.ts'

const header = '<?xml version="1.0" encoding="utf-8"?>\n'

/** A complete document with one root element; `inner` is XML. */
const document = (name: DavName, inner: string): string => `${header}<${name} ${declarations}>${inner}</${name}>`

/** An element with text. */
export const textElement = (name: DavName, text: string): string => `<${name}>${escapeXml(text)}</${name}>`

export const propElement = (props: readonly DavName[]): string =>
  `<D:prop>${props.map((name) => `<${name}/>`).join('')}</D:prop>`

export const propfindBody = (props: readonly DavName[]): string => document('D:propfind', propElement(props))

export const syncBody = (token: string | undefined, props: readonly DavName[]): string =>
  document(
    'D:sync-collection',
    `<D:sync-token>${escapeXml(token ?? '')}</D:sync-token><D:sync-level>1</D:sync-level>${propElement(props)}`,
  )

/** The properties to request with objects: their data and their ETags. */
const dataProps: Record<ObjectKind, readonly DavName[]> = {
  calendar: ['D:getetag', 'C:schedule-tag', 'C:calendar-data'],
  contacts: ['D:getetag', 'CR:address-data'],
}
export type ObjectKind = 'calendar' | 'contacts'

/** Addresses are sent as paths, because some servers accept no others. */
export function multigetBody(kind: ObjectKind, hrefs: readonly string[]): string {
  const paths = hrefs.map((href) => textElement('D:href', new URL(href).pathname)).join('')
  return document(
    kind === 'calendar' ? 'C:calendar-multiget' : 'CR:addressbook-multiget',
    `${propElement(dataProps[kind])}${paths}`,
  )
}

/** Unix seconds in the UTC form of RFC 5545. */
export const utcText = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().replace(/[-:]|\.\d{3}/g, '')}`

/** The objects of a calendar to request. Servers require the component's name and both ends of a range. */
export interface CalendarFilter {
  /** Unix seconds; both or none. */
  range?: { from: number; to: number }
  /** Only objects with this UID. */
  uid?: string
  /** Only objects that have a property with this name. */
  has?: string
}

export function calendarQueryBody({ range, uid, has }: CalendarFilter): string {
  const inner =
    (range ? `<C:time-range start="${utcText(range.from)}" end="${utcText(range.to)}"/>` : '') +
    (has === undefined ? '' : `<C:prop-filter name="${escapeXml(has)}"/>`) +
    (uid === undefined
      ? ''
      : `<C:prop-filter name="UID"><C:text-match collation="i;octet">${escapeXml(uid)}</C:text-match></C:prop-filter>`)
  const filter = `<C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">${inner}</C:comp-filter></C:comp-filter>`
  return document('C:calendar-query', `${propElement(dataProps.calendar)}<C:filter>${filter}</C:filter>`)
}

/** A query for all cards. */
export const addressbookQueryBody = (): string =>
  document('CR:addressbook-query', `${propElement(dataProps.contacts)}<CR:filter></CR:filter>`)

/** The new value of a property: text, inner XML, or undefined to remove it. */
export type PropValue = string | { xml: string } | undefined
export type PropValues = Readonly<Partial<Record<DavName, PropValue>>>

const valueElement = ([name, value]: [string, PropValue]): string => {
  if (value === undefined) return `<${name}/>`
  return `<${name}>${typeof value === 'string' ? escapeXml(value) : value.xml}</${name}>`
}

export function proppatchBody(values: PropValues): string {
  const entries = Object.entries(values)
  const part = (name: string, chosen: [string, PropValue][]): string =>
    chosen.length === 0 ? '' : `<${name}><D:prop>${chosen.map(valueElement).join('')}</D:prop></${name}>`
  const set = entries.filter(([, value]) => value !== undefined)
  const remove = entries.filter(([, value]) => value === undefined)
  return document('D:propertyupdate', `${part('D:set', set)}${part('D:remove', remove)}`)
}

const setElement = (values: PropValues): string =>
  `<D:set><D:prop>${Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(valueElement)
    .join('')}</D:prop></D:set>`

export const mkcalendarBody = (values: PropValues): string => document('C:mkcalendar', setElement(values))

/** The extended MKCOL of RFC 5689: a collection of these types. */
export const mkcolBody = (types: readonly DavName[], values: PropValues): string => {
  const xml = ['D:collection', ...types].map((name) => `<${name}/>`).join('')
  return document('D:mkcol', setElement({ 'D:resourcetype': { xml }, ...values }))
}
