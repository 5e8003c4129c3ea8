/** When people are busy: the Availability service for free/busy, the calendars themselves for availability. */

import type { FreeBusy, FreeBusyQuery } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { isBusy } from '../../calendar/exchange/event.ts'
import { isPrimary } from '../../calendar/exchange/event-model.ts'
import { noCalendar } from '../../calendar/exchange/refusals.ts'
import {
  checkFreeBusyWindow,
  eachCalendar,
  freeBusyError,
  freeBusyFrom,
  isMoving,
  lastBooking,
} from '../../calendar/free-busy.ts'
import type { BusyBlock, MovingEvent, Provider } from '../../provider.ts'
import { EwsError, isMissing } from '../errors.ts'
import { ourId, theirId } from '../ids.ts'
import { type FreeBusyResponse, GetUserAvailability, utcZone } from '../operations/calendar.ts'
import { GetItem } from '../operations/items.ts'
import type { Session } from '../session.ts'
import { item as itemNamed } from '../types/ids.ts'
import { field } from '../types/paths.ts'
import { idAnd } from '../types/shapes.ts'
import { wellKnownId } from '../well-known-folders.ts'
import { calendarFolder } from './calendar-api.ts'
import { viewEntries } from './entries.ts'
import { showAsOf } from './mapping/event.ts'

const day = 86_400
/** The window and the number of mailboxes that Exchange accepts in one request. */
const maxPiece = 42 * day
const mailboxesAtOnce = 100
/** The shortest interval of a merged view in minutes, and so of a window. */
const mergedMinutes = 15

const localText = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 19)

interface AvailabilityAnswer {
  blocks: StatusBlock[]
  problem?: string
}

/** The answer for a mailbox in one piece of the window. */
function reportedIn({ ResponseMessage: said, FreeBusyView: view }: FreeBusyResponse, from: number): AvailabilityAnswer {
  if (said?.ResponseClass === 'Error') return { blocks: [], problem: said.MessageText || `error ${said.ResponseCode}` }
  if (!view || view.FreeBusyViewType === 'None')
    return { blocks: [], problem: 'its calendar is not shown to the account' }
  const { CalendarEventArray: events } = view
  if (!events && view.FreeBusyViewType === 'MergedOnly') {
    return { blocks: mergedBlocks(view.MergedFreeBusy ?? '', { from, seconds: mergedMinutes * 60 }) }
  }
  return {
    blocks: (events ?? []).map(({ StartTime, EndTime, BusyType }) => ({
      start: Math.floor(StartTime / 1000),
      end: Math.ceil(EndTime / 1000),
      status: showAsOf(BusyType),
    })),
  }
}

/** Exchange's answers for a piece of the window, in the order of the addresses. */
async function askPiece(
  session: Session,
  addresses: readonly string[],
  from: number,
  to: number,
): Promise<AvailabilityAnswer[]> {
  const { FreeBusyResponseArray: reported = [] } = await session.call(GetUserAvailability, {
    TimeZone: utcZone,
    MailboxDataArray: addresses.map((Address) => ({
      Email: { Address },
      AttendeeType: 'Required' as const,
      ExcludeConflicts: false,
    })),
    FreeBusyViewOptions: {
      TimeWindow: { StartTime: localText(from), EndTime: localText(to) },
      MergedFreeBusyIntervalInMinutes: mergedMinutes,
      RequestedView: 'FreeBusyMerged',
    },
  })
  return addresses.map((_, place) => {
    const one = reported[place]
    return one ? reportedIn(one, from) : { blocks: [], problem: 'Exchange does not tell' }
  })
}

/** The busy times by address in lower case. */
async function ask(session: Session, addresses: readonly string[], { from, to }: { from: number; to: number }) {
  const reported = new Map<string, AvailabilityAnswer>()
  for (let first = 0; first < addresses.length; first += mailboxesAtOnce) {
    const some = addresses.slice(first, first + mailboxesAtOnce)
    for (let start = from; start < to; start += maxPiece) {
      const answers = await askPiece(session, some, start, Math.min(to, start + maxPiece))
      for (const [place, address] of some.entries()) {
        const { blocks = [], problem } = answers[place] ?? {}
        const before = reported.get(address) ?? { blocks: [] }
        const problems = before.problem ?? problem
        reported.set(address, {
          blocks: [...before.blocks, ...blocks],
          ...(problems === undefined ? {} : { problem: problems }),
        })
      }
    }
  }
  return reported
}

export async function freeBusy(session: Session, query: FreeBusyQuery): Promise<FreeBusy[]> {
  const { start_time: from, end_time: to, emails, tentative_as_busy: tentative } = query
  checkFreeBusyWindow(query)
  const addresses = [...new Set(emails.map((email) => email.trim().toLowerCase()))]
  const reported = await ask(session, addresses, { from, to: Math.max(to, from + mergedMinutes * 60) })
  return emails.map((email): FreeBusy => {
    const { blocks = [], problem } = reported.get(email.trim().toLowerCase()) ?? {}
    if (problem !== undefined) return freeBusyError(email, problem)
    const busy = blocks.filter(({ status }) => isBusy(status, tentative ?? true))
    return freeBusyFrom(email, busy, query)
  })
}

const busyShape = idAnd(
  field('calendar:Start'),
  field('calendar:End'),
  field('calendar:IsAllDayEvent'),
  field('calendar:LegacyFreeBusyStatus'),
  field('calendar:IsCancelled'),
  field('calendar:CalendarItemType'),
  field('calendar:UID'),
)

interface BusyWindow {
  from: number
  to: number
  tentativeAsBusy: boolean
  except?: MovingEvent | undefined
}

/** The busy times of one calendar of the account. */
async function busyIn(session: Session, calendarId: string, { from, to, tentativeAsBusy, except }: BusyWindow) {
  const folder = calendarFolder(session, calendarId)
  if (!folder) throw noCalendar()
  const blocks: BusyBlock[] = []
  for await (const entries of viewEntries(session, { folder, shape: busyShape }, { from, to })) {
    for (const { id, item, start } of entries) {
      if (isMoving({ id, ical_uid: item.UID }, except)) continue
      if (item.IsCancelled || !isBusy(showAsOf(item.LegacyFreeBusyStatus), tentativeAsBusy)) continue
      const length = Math.max(0, (item.End ?? start) - (item.Start ?? start))
      blocks.push({ start: Math.floor(start / 1000), end: Math.ceil((start + length) / 1000) })
    }
  }
  return blocks
}

const isNoCalendar = (error: unknown): boolean =>
  isMissing(error) || (error instanceof ApiError && error.code === 'not_found')

export const availability: NonNullable<Provider<Session>['availability']> = {
  async busy(session, { calendarIds, ...window }) {
    const read = (id: string): Promise<BusyBlock[]> => busyIn(session, id, window)
    return (await eachCalendar(session, calendarIds, { read, isMissing: isNoCalendar })).flat()
  },
  lastBooked: (session, at) =>
    lastBooking(at, { realId: (id) => realId(session, id), isActive: ({ id }) => isActive(session, id) }),
}

const realId = async (session: Session, id: string): Promise<string> =>
  isPrimary(session, id) ? ourId(await wellKnownId(session, 'calendar')) : id

async function isActive(session: Session, id: string): Promise<boolean> {
  const itemId = theirId(id)
  if (itemId === undefined) return false
  const shape = idAnd(field('calendar:IsCancelled'))
  const [answer] = await session.each(GetItem, { ItemShape: shape, ItemIds: [itemNamed(itemId)] })
  if (answer instanceof EwsError) {
    if (isMissing(answer)) return false
    throw answer
  }
  const found = answer?.Items?.find((one) => one.kind === 'CalendarItem')
  return found !== undefined && found.IsCancelled !== true
}

export interface StatusBlock {
  start: number
  end: number
  /** As in events: `free`, `tentative`, `busy`, `oof` or `workingElsewhere`. */
  status: string
}

/** By digit; an unknown digit counts as busy. */
const statuses: Readonly<Record<string, string>> = {
  0: 'free',
  1: 'tentative',
  2: 'busy',
  3: 'oof',
  4: 'workingElsewhere',
}

export const mergedBlocks = (figures: string, { from, seconds }: { from: number; seconds: number }): StatusBlock[] =>
  [...figures.trim()].map((figure, place) => ({
    start: from + place * seconds,
    end: from + (place + 1) * seconds,
    status: statuses[figure] ?? 'busy',
  }))
