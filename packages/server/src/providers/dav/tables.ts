/** What calendars and contacts at servers of DAV add to the table of an adapter. */
import { calendarOperations } from './caldav/calendars.ts'
import { eventOperations } from './caldav/events.ts'
import { availabilityOf, freeBusyOperation } from './caldav/free-busy.ts'
import { rsvpOperation } from './caldav/rsvp.ts'
import type { CalDavTraits } from './caldav/traits.ts'
import { contactGroupOperations } from './carddav/contact-groups.ts'
import { contactOperations } from './carddav/contacts.ts'
import type { CardDavTraits } from './carddav/traits.ts'
import type { DavSession } from './session.ts'

/** Calendars of a kind that neither tells when others are free nor lets invitations be answered. */
export const calendarTable = <S extends DavSession>(traits: CalDavTraits<S>) => ({
  calendars: calendarOperations(traits),
  events: eventOperations(traits),
  availability: availabilityOf(traits),
})

/** Calendars with all that CalDAV has. */
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
