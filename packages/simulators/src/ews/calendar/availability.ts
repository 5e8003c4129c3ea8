// `GetUserAvailability`: free/busy times of people and rooms, each with its own response or error.
import { mergedView, type ShowAs } from '../../shared/calendar/busy.ts'
import { weekdays } from '../../shared/calendar/recurrence-days.ts'
import { wallByRules, type ZoneRules, zoneRules } from '../../shared/calendar/zone-rules.ts'
import type { EwsCall } from '../model.ts'
import type { Account } from '../owner.ts'
import { errorMessage, goodMessage } from '../soap/answers.ts'
import { EwsError } from '../soap/errors.ts'
import { mayUse } from '../store/lookup.ts'
import { element, type Xml } from '../xml/write.ts'
import { type AvailabilityRequest, readAvailability } from './availability-request.ts'
import type { CalendarItem } from './content.ts'
import { isMeeting } from './meeting-fields.ts'
import { itemsInView } from './occurrences.ts'
import { capitalized } from './recurrence-xml.ts'
import { freeBusyName } from './time-fields.ts'

const maxEntries = 1000

/** The digit of a status in the merged view; the largest one wins. */
const DIGITS: Readonly<Record<ShowAs, number>> = {
  free: 0,
  tentative: 1,
  busy: 2,
  oof: 3,
  workingElsewhere: 4,
  unknown: 0,
}

export function getUserAvailability(call: EwsCall): Xml {
  const requested = readAvailability(call)
  const answers = requested.addresses.map((address) =>
    element('m:FreeBusyResponse', freeBusyOf(call, address, requested)),
  )
  return element('m:GetUserAvailabilityResponse', [element('m:FreeBusyResponseArray', answers)])
}

function freeBusyOf(call: EwsCall, address: string, requested: AvailabilityRequest): Xml[] {
  try {
    const view = viewOf(call, address, requested)
    return [goodMessage('m:ResponseMessage', []), view]
  } catch (error) {
    if (!(error instanceof EwsError)) throw error
    return [
      errorMessage('m:ResponseMessage', error),
      element('m:FreeBusyView', [element('t:FreeBusyViewType', 'None')]),
    ]
  }
}

function viewOf(call: EwsCall, address: string, { rules, range, interval, view }: AvailabilityRequest): Xml {
  const account = call.world.findAccount(address)
  if (account === undefined) {
    const message = `Unable to resolve e-mail address ${address} to an Active Directory object.`
    throw new EwsError('ErrorMailRecipientNotFound', message)
  }
  if (isHidden(account) && account !== call.account) {
    throw new EwsError('ErrorNoFreeBusyAccess', 'The caller does not have access to free/busy data.')
  }
  const calendar = account.mailbox.folders.standard('calendar')
  const items = itemsInView(calendar, range)
  if (items.length > maxEntries) {
    const message = `The result set contains too many calendar entries. The allowed size = ${maxEntries}; the actual size = ${items.length}.`
    throw new EwsError('ErrorResultSetTooBig', message)
  }
  const mayRead = mayUse(call.account, calendar, 'read')
  const details = view.startsWith('Detailed') && mayRead
  const merged = mergedView(
    items.map(({ content }) => content),
    range,
    { interval, digits: DIGITS },
  )
  const events = items.map((item) => eventXml(item, rules, details))
  return element('m:FreeBusyView', [
    // A caller without read access to the calendar gets no details; the view type says so.
    element(
      't:FreeBusyViewType',
      details || !view.startsWith('Detailed') ? view : view.replace('Detailed', 'FreeBusy'),
    ),
    view.includes('Merged') ? element('t:MergedFreeBusy', merged) : undefined,
    view === 'MergedOnly' || events.length === 0 ? undefined : element('t:CalendarEventArray', events),
    view === 'MergedOnly' ? undefined : workingHours(account, call.world.now()),
  ])
}

/** Accounts that hide their free/busy times from everybody. */
const hidden = new WeakSet<Account['mailbox']>()
const isHidden = ({ mailbox }: Account): boolean => hidden.has(mailbox)

export function hideFreeBusy({ mailbox }: Account, hides: boolean): void {
  if (hides) hidden.add(mailbox)
  else hidden.delete(mailbox)
}

function eventXml(item: CalendarItem, rules: ZoneRules, details: boolean): Xml {
  const { start, end, showAs } = item.content
  const clock = (ms: number) => wallByRules(rules, ms).toString({ smallestUnit: 'second' })
  return element('t:CalendarEvent', [
    element('t:StartTime', clock(start.ms)),
    element('t:EndTime', clock(end.ms)),
    element('t:BusyType', freeBusyName(showAs)),
    details ? detailsXml(item) : undefined,
  ])
}

function detailsXml(item: CalendarItem): Xml {
  const { text, location, occurrence, isReminderOn, sensitivity } = item.content
  const isPrivate = sensitivity === 'Private' || sensitivity === 'Personal'
  const id = Buffer.from(item.id, 'base64').toString('hex').toUpperCase()
  return element('t:CalendarEventDetails', [
    ...(isPrivate ? [] : [element('t:ID', id), element('t:Subject', text.subject), element('t:Location', location)]),
    element('t:IsMeeting', isMeeting(item)),
    element('t:IsRecurring', occurrence !== undefined),
    element('t:IsException', occurrence?.kind === 'exception'),
    element('t:IsReminderSet', isReminderOn),
    element('t:IsPrivate', isPrivate),
  ])
}

/** Eight to five on weekdays, in the zone of the mailbox. */
function workingHours({ timezone }: Account, now: number): Xml {
  const { standardOffset, toStandard, toDaylight } = zoneRules(timezone, new Date(now).getUTCFullYear())
  const changeXml = (tag: string, change: typeof toStandard) => {
    const { offset = standardOffset, month = 0, dayOfWeek = 7, occurrence = 0, minutes = 0 } = change ?? {}
    const time = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}:00`
    return element(tag, [
      element('t:Bias', standardOffset - offset),
      element('t:Time', time),
      element('t:DayOrder', occurrence < 0 ? 5 : occurrence),
      element('t:Month', month),
      element('t:DayOfWeek', capitalized(weekdays[dayOfWeek - 1] ?? 'sunday')),
    ])
  }
  return element('t:WorkingHours', [
    element('t:TimeZone', [
      element('t:Bias', -standardOffset),
      changeXml('t:StandardTime', toStandard),
      changeXml('t:DaylightTime', toDaylight),
    ]),
    element('t:WorkingPeriodArray', [
      element('t:WorkingPeriod', [
        element('t:DayOfWeek', 'Monday Tuesday Wednesday Thursday Friday'),
        element('t:StartTimeInMinutes', 480),
        element('t:EndTimeInMinutes', 1020),
      ]),
    ]),
  ])
}
