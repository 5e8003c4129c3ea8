/** A booking page on an account of a site, and guests who book on it. */
import type { Answer, Site } from './site.ts'

const day = 86_400

export interface BookingPage {
  id: string
  grantId: string
  calendarId: string
}

/** Creates a page that is open at all hours. */
export async function openPage(site: Site): Promise<BookingPage> {
  const [account] = site.accounts
  if (!account) throw new Error('the site has no account')
  const { grantId, calendarId } = account
  await site.call('PATCH', '/v3/applications', { body: { notification_stream: true } })
  const { body: grant } = await site.call('GET', `/v3/grants/${grantId}`)
  const { email } = grant.data
  const made = await site.call('POST', `/v3/grants/${grantId}/scheduling/configurations`, {
    body: {
      participants: [
        {
          ...{ email, grant_id: grantId, is_organizer: true },
          ...{ availability: { calendar_ids: [calendarId] }, booking: { calendar_id: calendarId } },
        },
      ],
      availability: { duration_minutes: 30 },
      event_booking: { title: 'Talk' },
    },
  })
  if (made.status !== 200) throw new Error(`no page: ${JSON.stringify(made.body)}`)
  return { id: made.body.data.id, grantId, calendarId }
}

/** The slot with a number, at full hours from two days ahead. */
export const slotOf = (number: number): { start_time: number; end_time: number } => {
  const start_time = (Math.floor(Date.now() / 1000 / day) + 2) * day + number * 3_600
  return { start_time, end_time: start_time + 1_800 }
}

/** Books at one node, without a credential. */
export async function bookAt(base: string, page: BookingPage, body: object): Promise<Pick<Answer, 'status' | 'body'>> {
  const answer = await fetch(`${base}/v3/scheduling/bookings?configuration_id=${page.id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: await answer.json() }
}

/** The starts of all events on the page's calendar. */
export async function startsOn(site: Site, { grantId, calendarId }: BookingPage): Promise<number[]> {
  const listed = await site.call('GET', `/v3/grants/${grantId}/events?calendar_id=${calendarId}&limit=200`)
  return listed.body.data.map(({ when }: { when: { start_time: number } }) => when.start_time)
}

/** The bookings that notifications reported as created. */
export async function reportedBookings(site: Site): Promise<string[]> {
  const listed = await site.call('GET', '/v3/notifications?limit=200')
  return (listed.body.data as { type: string; data: { object: { booking_id: string } } }[])
    .filter(({ type }) => type === 'booking.created')
    .map(({ data }) => data.object.booking_id)
}

/** Violated rules: one event and one booking for each slot, and one notification for each booking. */
export async function checkBookings(
  site: Site,
  page: BookingPage,
  slots: readonly { start_time: number }[],
): Promise<string[]> {
  const broken: string[] = []
  const starts = await startsOn(site, page)
  const listed = await site.call('GET', `/v3/scheduling/bookings?configuration_id=${page.id}&limit=200`)
  const bookings = listed.body.data as { booking_id: string; start_time: number; status: string }[]
  for (const { start_time } of slots) {
    const events = starts.filter((start) => start === start_time).length
    const booked = bookings.filter((each) => each.start_time === start_time && each.status === 'booked')
    if (events !== 1 || booked.length !== 1)
      broken.push(`${start_time}: ${events} events and ${booked.length} bookings`)
  }
  const reported = await reportedBookings(site)
  for (const { booking_id: id } of bookings) {
    const times = reported.filter((each) => each === id).length
    if (times !== 1) broken.push(`${id} was reported ${times} times`)
  }
  return broken
}
