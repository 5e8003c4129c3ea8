/** Converts mail filters between the URL and API requests. */

import type { MessageListQuery, ThreadListQuery } from '@waypost/sdk'
import { yesOrNo } from '../../list/address.ts'

export const filterNames = [
  'q',
  'subject',
  'from',
  'to',
  'unread',
  'starred',
  'files',
  'after',
  'before',
  'native',
] as const
export type FilterName = (typeof filterNames)[number]
export type MailFilter = Readonly<Partial<Record<FilterName, string>>>

const addresses = (text: string | undefined): string[] | undefined => {
  const list = (text ?? '').split(/[\s,;]+/).filter((each) => each !== '')
  return list.length > 0 ? list : undefined
}

/** Start of a day in the viewer's time zone, in Unix seconds. */
function dayStart(text: string | undefined, days = 0): number | undefined {
  const date = text ? new Date(`${text}T00:00:00`) : undefined
  if (!date || Number.isNaN(date.getTime())) return undefined
  date.setDate(date.getDate() + days)
  return Math.floor(date.getTime() / 1000)
}

type FilterValues = Record<string, unknown>
const given = <T extends FilterValues>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== '')) as T

/** Parameters of both lists. A native search replaces all filters except the folder. */
function common(filter: MailFilter, folder: string | undefined) {
  if (filter.native) return given({ in: folder, search_query_native: filter.native })
  return given({
    in: folder,
    q: filter.q,
    subject: filter.subject,
    from: addresses(filter.from),
    to: addresses(filter.to),
    unread: yesOrNo(filter.unread),
    starred: yesOrNo(filter.starred),
    has_attachment: yesOrNo(filter.files),
  })
}

/** Both days of the period are included. */
const period = (filter: MailFilter) =>
  filter.native ? {} : { from: minusOne(dayStart(filter.after)), until: dayStart(filter.before, filter.before ? 1 : 0) }
const minusOne = (time: number | undefined): number | undefined => (time === undefined ? undefined : time - 1)

export function messagesQuery(filter: MailFilter, folder: string | undefined): MessageListQuery {
  const { from, until } = period(filter)
  return { ...common(filter, folder), ...given({ received_after: from, received_before: until }) }
}

export function threadsQuery(filter: MailFilter, folder: string | undefined): ThreadListQuery {
  const { from, until } = period(filter)
  return { ...common(filter, folder), ...given({ latest_message_after: from, latest_message_before: until }) }
}
