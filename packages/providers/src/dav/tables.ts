/** The entries of CalDAV and CardDAV in the operation table of an adapter. */
import { calendarOperations } from './caldav/calendars.ts'
import { eventOperations, rsvpOperation } from './caldav/events.ts'
import { availabilityOf, freeBusyOperation } from './caldav/free-busy.ts'
import type { CalDavTraits } from './caldav/traits.ts'
import { contactGroupOperations } from './carddav/contact-groups.ts'
import { contactOperations } from './carddav/contacts.ts'
import type { CardDavTraits } from './carddav/traits.ts'
import type { DavSession } from './session.ts'

/** Calendars without free/busy of others and without answers to invitations. */
export const calendarTable = <S extends DavSession>(traits: CalDavTraits<S>) => ({
  calendars: calendarOperations(traits),
  events: eventOperations(traits),
  availability: availabilityOf(traits),
})

/** Calendars with all operations of CalDAV. */
export function fullCalendarTable<S extends DavSession>(traits: CalDavTraits<S>) {
  const { calendars, events, availability } = calendarTable(traits)
  return {
    calendars: { ...calendars, freeBusy: freeBusyOperation(traits) },
    events: { ...events, rsvp: rsvpOperation(traits) },
    availability,
  }
}

export const contactTable = (traits: CardDavTraits) => ({
  contacts: contactOperations(traits),
  contactGroups: contactGroupOperations(traits),
})
