/** The calls of the page: the public scheduling routes of the same host. */
import type { BookableSlots, Booking, BookingConfirmation, BookingDraft, BookingMove } from '@waypost/contract'
import type { BookingPageData } from '@waypost/contract/booking-page'

/** A refused call, as the page distinguishes it. */
export class Refusal extends Error {
  readonly kind: 'taken' | 'fields' | 'offline' | 'too_many' | 'session' | 'other'
  /** Messages of the server by field, such as `guest.email`. */
  readonly fields: Readonly<Record<string, string>>

  constructor(kind: Refusal['kind'], message = '', fields: Readonly<Record<string, string>> = {}) {
    super(message)
    this.kind = kind
    this.fields = fields
  }
}

interface WireError {
  type?: string
  message?: string
  validation_errors?: Record<string, string>
}

function refusalOf(status: number, { type, message = '', validation_errors: fields = {} }: WireError): Refusal {
  if (type === 'timeslot_not_available' || message.startsWith('The selected timeslot is unavailable')) {
    return new Refusal('taken', message)
  }
  if (status === 429) return new Refusal('too_many', message)
  if (status === 401) return new Refusal('session', message)
  if (Object.keys(fields).length > 0) return new Refusal('fields', message, fields)
  return new Refusal('other', status >= 500 ? '' : message)
}

interface Call {
  query?: Record<string, string>
  body?: unknown
  signal?: AbortSignal
}

export interface Client {
  slots(window: { start: number; end: number }): Promise<BookableSlots>
  book(draft: BookingDraft): Promise<Booking>
  move(id: string, move: BookingMove): Promise<Booking | undefined>
  decide(id: string, decision: BookingConfirmation): Promise<Booking | undefined>
  cancel(id: string, reason: string): Promise<void>
}

export function createClient({ prefix, session, settings, booking, view }: BookingPageData): Client {
  const known: Record<string, string> = session ? {} : { configuration_id: settings.configuration_id }
  const call = async <T>(method: string, path: string, { query = {}, body }: Call): Promise<T> => {
    const headers: Record<string, string> = session ? { authorization: `Bearer ${session}` } : {}
    if (body !== undefined) headers['content-type'] = 'application/json'
    const target = `${prefix}/v3/scheduling/${path}?${new URLSearchParams({ ...known, ...query })}`
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    // Cookies mean nothing to these routes.
    const response = await fetch(target, { method, headers, credentials: 'omit', ...sent }).catch(() => {
      throw new Refusal('offline')
    })
    const answer = (await response.json().catch(() => ({}))) as { data: T; error?: WireError }
    if (!response.ok) throw refusalOf(response.status, answer.error ?? {})
    return answer.data
  }
  const moving: Record<string, string> = view === 'reschedule' && booking ? { booking_id: booking.id } : {}
  return {
    slots: ({ start, end }) =>
      call('GET', 'availability', { query: { start_time: String(start), end_time: String(end), ...moving } }),
    book: (body) => call('POST', 'bookings', { query: { timezone: body.timezone ?? '' }, body }),
    move: (id, body) => call('PATCH', `bookings/${id}`, { body }),
    decide: (id, body) => call('PUT', `bookings/${id}`, { body }),
    cancel: (id, reason) => call('DELETE', `bookings/${id}`, { body: { cancellation_reason: reason } }),
  }
}
