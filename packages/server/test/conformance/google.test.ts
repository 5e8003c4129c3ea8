/** Accounts at the simulated Google. */
import { describeProvider } from './describe-provider.ts'
import { googleCalendar, googleRooms } from './google-calendar-subject.ts'
import { googleContacts } from './google-contacts-subject.ts'
import { googleSubject } from './google-subject.ts'

await describeProvider(() => ({
  adapter: 'google',
  mail: googleSubject,
  calendar: googleCalendar,
  rooms: googleRooms,
  contacts: googleContacts,
}))
