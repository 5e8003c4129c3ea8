/** Accounts at the simulated Microsoft. */
import { describeProvider } from './describe-provider.ts'
import { microsoftCalendar, microsoftRooms } from './microsoft-calendar-subject.ts'
import { microsoftContacts } from './microsoft-contacts-subject.ts'
import { microsoftSubject } from './microsoft-subject.ts'

await describeProvider(() => ({
  adapter: 'microsoft',
  mail: microsoftSubject,
  calendar: microsoftCalendar,
  rooms: microsoftRooms,
  contacts: microsoftContacts,
}))
