/** What contacts are to Outlook, whichever way they are reached. Pure. */
import type { Contact } from '@waypost/contract'

/** What a contact lacks that has nothing but names and addresses. */
export const emptyContact = {
  middle_name: null,
  suffix: null,
  nickname: null,
  birthday: null,
  company_name: null,
  manager_name: null,
  notes: null,
  im_addresses: [],
  physical_addresses: [],
  web_pages: [],
  groups: [],
} satisfies Partial<Contact>

/** Outlook writes birthdays whose year is not known into the year 1604, which has a 29th of February. */
const noYear = '1604'

/** The day of a birthday, whose year may not be known, by the day that Outlook keeps. */
export const birthdayOf = (day: string): string => day.replace(/^1604-/, '0000-')

/** The moment that stands for a birthday: noon, so that it is the same day wherever Outlook shows it. */
export const birthdayMoment = (birthday: string): string => `${birthday.replace(/^0000/, noYear)}T11:59:00Z`
