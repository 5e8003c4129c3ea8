/** Outlook's representation of contacts, for Graph and EWS. Pure. */
import type { Contact } from '@waypost/contract'

/** The empty fields of a contact that has only names and addresses. */
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

/** Outlook stores birthdays without a year in the leap year 1604. */
const noYear = '1604'

/** A birthday, possibly without a year, from the day that Outlook stores. */
export const birthdayOf = (day: string): string => day.replace(/^1604-/, '0000-')

/** The stored time of a birthday: noon, so that it is the same day in every zone in which Outlook displays it. */
export const birthdayMoment = (birthday: string): string => `${birthday.replace(/^0000/, noYear)}T11:59:00Z`
