/** Whether mails about a booking are sent, and from where. Pure. */
import type { Configuration, Grant } from '@waypost/contract'
import type { Provider } from '@waypost/providers/provider'
import { canDo } from '@waypost/providers/registry'
import type { BookingMailKind } from '../bookings/booking-record.ts'

/** Whether the account can send mail in its own name. */
export const canSend = (provider: Provider, grant: Pick<Grant, 'scope' | 'settings'>): boolean =>
  canDo(provider, grant, { id: 'messages.send', resource: 'messages', operation: 'send' })

/** Whether the provider notifies guests of every change, whatever the request says. */
export function alwaysNotifies({ limits }: Provider): boolean {
  const limit = limits?.['events.create']?.query?.notify_participants
  return limit?.answer === 'ignored' && (limit.values?.includes(false) ?? true)
}

/** Changes of the event itself, of which a provider notifies its guests. */
const ofEvent: ReadonlySet<BookingMailKind> = new Set(['confirmed', 'rescheduled', 'cancelled'])

/**
 * Whether the built-in mails of a kind are sent. The provider sends those about the event where it is told to, or
 * always does. Requests, refusals and reminders are known to this service only.
 */
export function isBuiltInSent(kind: BookingMailKind, configuration: Configuration, provider: Provider): boolean {
  const { event_booking: event, group_booking: group } = configuration
  if ((configuration.type === 'group' ? group?.disable_emails : event.disable_emails) === true) return false
  // The application confirms such a booking, so there is no request to the organizer.
  if (kind === 'requested' && event.booking_type === 'custom-confirmation') return false
  return !isProviderSent(kind, configuration, provider)
}

/** Whether the provider of the calendar sends the mails of a kind instead of this service. */
export const isProviderSent = (
  kind: BookingMailKind,
  { type, event_booking: event }: Configuration,
  provider: Provider,
): boolean => {
  // Seats are taken quietly: the other guests of a group event have no news.
  const isRequested = type !== 'group' && event.notify_participants === true
  return ofEvent.has(kind) && (isRequested || alwaysNotifies(provider))
}
