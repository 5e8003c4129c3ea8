/** Accounts at the simulated Exchange. */
import { describeProvider } from './describe-provider.ts'
import { ewsCalendar, ewsRooms } from './ews-calendar-subject.ts'
import { ewsContacts } from './ews-contacts-subject.ts'
import { ewsSubject } from './ews-subject.ts'

await describeProvider(() => ({
  adapter: 'ews',
  mail: ewsSubject,
  calendar: ewsCalendar,
  rooms: ewsRooms,
  contacts: ewsContacts,
}))
