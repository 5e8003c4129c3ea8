/** All calls to Waypost: the account, its booking page, and the destination of the notifications. */
import { createWaypost, WaypostError } from '@waypost/sdk'

const baseUrl = process.env.WAYPOST_URL ?? 'http://127.0.0.1:3000'
const waypost = createWaypost({ baseUrl, apiKey: process.env.WAYPOST_API_KEY })
/** The address of a connected account. If no account has it, the example creates a virtual one. */
const email = process.env.BOOKING_ACCOUNT ?? 'front-desk@example.com'
const timezone = process.env.BOOKING_TIMEZONE ?? 'Europe/Berlin'
const slug = process.env.BOOKING_SLUG ?? 'conversation'

/** Ignores an error with this status. */
const unless = (status: number) => (error: unknown) => {
  if (!(error instanceof WaypostError && error.status === status)) throw error
}

async function findAccount(): Promise<string> {
  const known = await waypost.grants.get({ grant_id: email }).catch(unless(404))
  if (known) return known.data.id
  await waypost.connectors.create({ body: { provider: 'virtual-calendar' } }).catch(unless(409))
  const { data } = await waypost.connect.custom({ body: { provider: 'virtual-calendar', settings: { email } } })
  return data.id
}

/** The primary calendar of the account. A new virtual account has none. */
async function findCalendar(grant_id: string): Promise<string> {
  const { data } = await waypost.calendars.list({ grant_id })
  const calendar = data.find(({ is_primary }) => is_primary) ?? data[0]
  if (calendar) return calendar.id
  return (await waypost.calendars.create({ grant_id, body: { name: 'Bookings', timezone } })).data.id
}

/** Creates the booking page, or updates the existing one, and returns its link. */
export async function openPage(): Promise<string> {
  const grant_id = await findAccount()
  const calendar_id = await findCalendar(grant_id)
  const organizer = {
    email,
    is_organizer: true,
    availability: { calendar_ids: [calendar_id] },
    booking: { calendar_id },
  }
  const hours = { days: [1, 2, 3, 4, 5], start: '9:00', end: '17:00' }
  const body = {
    name: 'A conversation',
    slug,
    participants: [organizer],
    availability: { duration_minutes: 30, availability_rules: { default_open_hours: [hours] } },
    // The dollar sign is apart, because the service replaces the token, and not JavaScript.
    event_booking: { title: `Conversation with $${'{invitee}'}`, timezone },
    scheduler: { additional_fields: { topic: { label: 'What is it about?', type: 'text' as const, required: false } } },
  }
  const pages = await waypost.configurations.list({ grant_id, query: { limit: 200 } })
  const existing = pages.data.find((page) => page.slug === slug)
  if (existing) await waypost.configurations.update({ grant_id, configuration_id: existing.id, body })
  else await waypost.configurations.create({ grant_id, body })
  const { data: application } = await waypost.applications.get()
  return `${baseUrl}/book/${application.application_id}/${slug}`
}

/** Registers the destination, and returns its secret. A restart gets a new secret for the same destination. */
export async function registerDestination(webhook_url: string): Promise<string> {
  const { data: all } = await waypost.webhooks.list()
  const existing = all.find((destination) => destination.webhook_url === webhook_url)
  if (existing) return (await waypost.webhooks.rotateSecret({ id: existing.id })).data.webhook_secret
  const trigger_types = ['booking.created', 'booking.rescheduled', 'booking.cancelled'] as const
  const { data } = await waypost.webhooks.create({ body: { webhook_url, trigger_types: [...trigger_types] } })
  return data.webhook_secret
}
