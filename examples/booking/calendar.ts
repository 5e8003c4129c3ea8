/** The calendar of the page: a virtual one, stored by Waypost. */
import { createWaypost, WaypostError } from '@waypost/sdk'
import { type Slot, zone } from './page.ts'

const waypost = createWaypost({ baseUrl: process.env.WAYPOST_URL, apiKey: process.env.WAYPOST_API_KEY })
/** Name of the account: any text. The same name is the same account, also after a restart. */
const account = process.env.BOOKING_ACCOUNT ?? 'front-desk'
const minutes = 30
const days = 5
const openHours = { days: [1, 2, 3, 4, 5], timezone: zone, start: '9:00', end: '17:00' }
const clock = new Intl.DateTimeFormat('en-GB', {
  timeZone: zone,
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
/** Availability queries start and end at multiples of five minutes. */
const grid = 300

const isStatus = (error: unknown, status: number): boolean => error instanceof WaypostError && error.status === status
/** Ignores errors for objects that already exist. */
const unlessThere = (error: unknown): void => {
  if (!isStatus(error, 409)) throw error
}

let grant_id = ''

/** Creates the account and its calendar if they do not exist yet. */
export async function openCalendar(): Promise<void> {
  await waypost.connectors.create({ body: { provider: 'virtual-calendar' } }).catch(unlessThere)
  const settings = { email: account }
  const { data: grant } = await waypost.connect.custom({ body: { provider: 'virtual-calendar', settings } })
  grant_id = grant.id
  try {
    await waypost.calendars.get({ grant_id, calendar_id: 'primary' })
  } catch (error) {
    if (!isStatus(error, 404)) throw error
    await waypost.calendars.create({ grant_id, body: { name: 'Bookings', timezone: zone } })
  }
}

/** Times that can be booked, starting an hour from now. */
export async function freeSlots(now = Date.now() / 1000): Promise<Slot[]> {
  const start_time = Math.ceil((now + 3600) / grid) * grid
  const end_time = start_time + days * 86_400
  const { data } = await waypost.availability.find({
    body: {
      start_time,
      end_time,
      duration_minutes: minutes,
      round_to: minutes,
      participants: [{ grant_id, open_hours: [openHours] }],
      availability_rules: { availability_method: 'collective' },
    },
  })
  return data.time_slots.map((slot) => ({ start: slot.start_time, end: slot.end_time }))
}

/** Whether a time is ever offered, because forms can be forged. */
function isBookable(start: number, now = Date.now() / 1000): boolean {
  if (!(start > now && start < now + (days + 1) * 86_400)) return false
  const local = Object.fromEntries(clock.formatToParts(start * 1000).map(({ type, value }) => [type, value]))
  const minute = Number(local.hour) * 60 + Number(local.minute)
  const isWeekday = local.weekday !== 'Sat' && local.weekday !== 'Sun'
  return isWeekday && minute % minutes === 0 && minute >= 9 * 60 && minute + minutes <= 17 * 60
}

/**
 * Books a time for one person, or returns false if it is taken. The condition on the event ensures that two people
 * never get the same time. The key ensures that a double click or a lost response books only once.
 */
export async function book(start: number, guest: { name: string; email: string }, token: string): Promise<boolean> {
  const end = start + minutes * 60
  if (!isBookable(start)) return false
  try {
    await waypost.events.create({
      grant_id,
      query: { calendar_id: 'primary' },
      headers: { 'if-none-overlap': true },
      idempotencyKey: `booking-${token}-${start}`,
      body: {
        title: `Conversation with ${guest.name}`,
        when: { start_time: start, end_time: end, start_timezone: zone, end_timezone: zone },
        participants: [guest],
      },
    })
    return true
  } catch (error) {
    if (isStatus(error, 409)) return false
    throw error
  }
}
