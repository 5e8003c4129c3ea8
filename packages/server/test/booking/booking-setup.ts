/** Booking pages on virtual calendars, for tests of bookings. */
import type { ConfigurationDraft } from '@waypost/contract'
import type { Answer, TestService } from '../harness.ts'

export const day = 86_400
export const hour = 3_600

/** Every hour of every day is open, so that tests choose their times freely. */
const openHours = [{ days: [0, 1, 2, 3, 4, 5, 6], start: '0:00', end: '24:00', timezone: 'UTC' }]

export interface Host {
  id: string
  email: string
  calendarId: string
}

export async function addHost(service: TestService, email: string): Promise<Host> {
  const { id } = await service.createGrant(email)
  const made = await service.call('POST', `/v3/grants/${id}/calendars`, { body: { name: 'Work' } })
  return { id, email, calendarId: made.body.data.id }
}

export const participantOf = ({ email, id, calendarId }: Host, more: object = {}) => ({
  email,
  name: email.split('@')[0] ?? '',
  grant_id: id,
  availability: { calendar_ids: [calendarId], open_hours: openHours },
  booking: { calendar_id: calendarId },
  ...more,
})

/** Creates a configuration of the first host, and returns its id. */
export async function addPage(
  service: TestService,
  hosts: readonly Host[],
  changes: Partial<ConfigurationDraft> = {},
): Promise<string> {
  const isRoundRobin = changes.availability?.availability_rules?.availability_method?.startsWith('max-') ?? false
  const made = await service.call('POST', `/v3/grants/${hosts[0]?.id}/scheduling/configurations`, {
    body: {
      participants: hosts.map((host, index) => participantOf(host, { is_organizer: index === 0 && !isRoundRobin })),
      availability: { duration_minutes: 30 },
      event_booking: { title: `Talk with \${invitee}`, timezone: 'UTC' },
      ...changes,
    },
  })
  if (made.status !== 200) throw new Error(JSON.stringify(made.body))
  return made.body.data.id
}

/** A slot at a full hour, some days from now. */
export function slotOf({ services }: TestService, days: number, hours = 0): { start_time: number; end_time: number } {
  const start_time = Math.floor(services.storage.clock.now() / 1000 / day) * day + days * day + hours * hour
  return { start_time, end_time: start_time + 1_800 }
}

export const guestOf = (name: string) => ({ email: `${name}@guest.test`, name })

/** A call as a guest, without credentials. */
export const asGuest = (service: TestService, method: string, path: string, body?: unknown): Promise<Answer> =>
  service.call(method, path, { key: null, ...(body === undefined ? {} : { body }) })

export const book = (service: TestService, page: string, body: object): Promise<Answer> =>
  asGuest(service, 'POST', `/v3/scheduling/bookings?configuration_id=${page}`, body)

/** The events of a host's primary calendar. */
export async function eventsOf(service: TestService, host: Host) {
  const listed = await service.call('GET', `/v3/grants/${host.id}/events?calendar_id=${host.calendarId}&limit=200`)
  return listed.body.data as {
    id: string
    title: string
    when: { start_time: number }
    participants: { email: string }[]
    metadata: object
  }[]
}

/** The notifications about bookings so far, oldest first. */
export async function bookingNotifications(service: TestService) {
  const listed = await service.call('GET', '/v3/notifications?limit=200')
  const all = listed.body.data as {
    type: string
    data: { object: { booking_id: string; booking_ref?: string; booking_info: Record<string, unknown> } }
  }[]
  return all.filter(({ type }) => type.startsWith('booking.'))
}
