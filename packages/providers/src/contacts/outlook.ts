/** Outlook's representation of contacts and their folders, for Graph and EWS. Pure. */
import type { Contact, ContactGroup, ContactListQuery, ContactSource } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { ignored } from '../limits.ts'
import { pictureBytes, pictureUri } from './picture.ts'

const untyped = ignored('Outlook does not keep what an address is for')
/** Fields of contacts that have no effect. */
export const contactFieldLimits = {
  'emails[].type': untyped,
  'im_addresses[].type': untyped,
  'web_pages[].type': ignored('the one page of a contact is for work', { except: ['work'] }),
} as const

/** The maximum number of values of each list of a contact except phone numbers; one postal address per type. */
export const outlookMaxima = { emails: 3, im_addresses: 3, physical_addresses: 3, web_pages: 1, groups: 1 }

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

/** The display name of a contact that has none of its own. */
export const displayNameOf = (
  names: readonly (string | null | undefined)[],
  company: string | null | undefined,
  email: string | undefined,
): string => names.filter((name) => name).join(' ') || company || email || ''

/** The one source of a list. */
export function sourceIn({ source = [] }: ContactListQuery, provider: string): ContactSource {
  if (source.length > 1) throw invalidField('source', `must be one source at ${provider}`)
  return (source[0] as ContactSource | undefined) ?? 'address_book'
}

export const notWritable = (): ApiError =>
  new ApiError('invalid_request', 'only contacts of the address book can be changed or deleted')

export const groupsElsewhere = (): ApiError => invalidField('group', 'groups are those of the address book')

export const groupDeleted = (): ApiError =>
  invalidField('page_token', 'a group of the list was deleted: start the list again without it')

/** A picture from a request; throws if Outlook cannot show it. */
export function givenPicture(picture: string, provider: string): { bytes: Buffer; contentType: string } {
  const [, contentType = ''] = /^data:([^;]+)/.exec(pictureUri(picture)) ?? []
  if (contentType === 'image/webp') throw invalidField('picture', `must be a JPEG, PNG or GIF picture at ${provider}`)
  return { bytes: Buffer.from(pictureBytes(picture), 'base64'), contentType }
}

export interface OutlookFolder {
  id: string
  name: string
  parentId: string | undefined
  /** The default folder is the system's group; all others are the user's. */
  isDefault: boolean
}

/** A folder of contacts as a group. */
export const groupOf = ({ id, name, parentId, isDefault }: OutlookFolder, grantId: string): ContactGroup => ({
  id,
  grant_id: grantId,
  object: 'contact_group',
  name,
  group_type: isDefault ? 'system' : 'user',
  path: [parentId, id].filter((part) => part).join('/'),
})

export const systemGroup = (): ApiError =>
  new ApiError('invalid_request', 'a group of the system cannot be changed or deleted')

export const groupWithGroups = (): ApiError =>
  new ApiError('invalid_request', 'other groups lie in this one, and would go with it: delete them first')

export const groupTooFull = (): ApiError =>
  new ApiError('provider_unavailable', 'the group has too many contacts to be emptied at once; try again')
