/** Maps changes of contacts to Exchange's fields, each set or removed by itself. Pure. */
import type { Contact, ContactChange } from '@waypost/contract'
import { invalidField } from '@waypost/platform/api-error'
import { checkBirthday, checkMaxima } from '../../../contacts/contact.ts'
import { birthdayMoment, displayNameOf } from '../../../contacts/outlook.ts'
import { contactMaxima } from '../../limits.ts'
import { addressKeys, type Contact as EwsContact, emailKeys, imKeys, phoneKeys } from '../../types/contact.ts'
import { field, type IndexedUri, indexedField, type Path } from '../../types/paths.ts'

/** One field with its new value; without a contact the field is removed. */
export interface FieldChange {
  path: Path
  contact?: EwsContact
}

const textFields = {
  given_name: 'GivenName',
  middle_name: 'MiddleName',
  surname: 'Surname',
  suffix: 'Generation',
  nickname: 'Nickname',
  company_name: 'CompanyName',
  job_title: 'JobTitle',
  manager_name: 'Manager',
  office_location: 'OfficeLocation',
} as const

/** Maps a change; fields that are not given stay as they are. Throws if Exchange has no field for a value. */
export function fieldChanges(change: ContactChange, before?: Contact): FieldChange[] {
  checkMaxima(change, contactMaxima)
  checkBirthday(change.birthday)
  return [
    ...texts(change),
    ...nameOf(change, before),
    ...notesOf(change.notes),
    ...birthdayOf(change.birthday),
    ...emailsOf(change.emails),
    ...imsOf(change.im_addresses),
    ...phonesOf(change.phone_numbers),
    ...addressesOf(change.physical_addresses),
    ...pagesOf(change.web_pages),
  ]
}

const set = (path: Path, contact: EwsContact | undefined): FieldChange =>
  contact === undefined ? { path } : { path, contact }

function texts(change: ContactChange): FieldChange[] {
  return (Object.keys(textFields) as (keyof typeof textFields)[]).flatMap((name) => {
    const value = change[name]
    if (value === undefined) return []
    const element = textFields[name]
    return [set(field(`contacts:${element}`), value ? { [element]: value } : undefined)]
  })
}

const nameParts = ['given_name', 'middle_name', 'surname', 'suffix', 'company_name', 'emails'] as const

/** Whether a change may affect the display name, so that the current one must be known. */
export const touchesName = (change: ContactChange): boolean => nameParts.some((part) => change[part] !== undefined)

type NameParts = {
  [P in (typeof nameParts)[number]]?: P extends 'emails'
    ? readonly { email: string }[] | null | undefined
    : string | null | undefined
}

const partsOf = ({ given_name, middle_name, surname, suffix, company_name, emails }: NameParts): string =>
  displayNameOf([given_name, middle_name, surname, suffix], company_name, emails?.[0]?.email)

/** Exchange does not compute the display name. A name that the user chose stays. */
function nameOf(change: ContactChange, before: Contact | undefined): FieldChange[] {
  if (!touchesName(change)) return []
  if (before && before.display_name !== partsOf(before)) return []
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  const name = partsOf({ ...before, ...Object.fromEntries(given) })
  return [set(field('contacts:DisplayName'), name ? { DisplayName: name } : undefined)]
}

/** Not every server can remove a text, so it is set to an empty one. */
const notesOf = (notes: ContactChange['notes']): FieldChange[] =>
  notes === undefined ? [] : [set(field('item:Body'), { Body: { BodyType: 'Text', value: notes ?? '' } })]

const birthdayOf = (birthday: ContactChange['birthday']): FieldChange[] =>
  birthday === undefined
    ? []
    : [set(field('contacts:Birthday'), birthday ? { Birthday: Date.parse(birthdayMoment(birthday)) } : undefined)]

/** The entries of a list by their keys. */
const entries = <K extends string>(
  uri: IndexedUri,
  keys: readonly K[],
  contactWith: (Key: K, place: number) => EwsContact | undefined,
): FieldChange[] => keys.map((Key, place) => set(indexedField(uri, Key), contactWith(Key, place)))

const emailsOf = (emails: ContactChange['emails']): FieldChange[] =>
  entries('contacts:EmailAddress', emails === undefined ? [] : emailKeys, (Key, place) => {
    const value = emails?.[place]?.email
    return value ? { EmailAddresses: [{ Key, value }] } : undefined
  })

const imsOf = (ims: ContactChange['im_addresses']): FieldChange[] =>
  entries('contacts:ImAddress', ims === undefined ? [] : imKeys, (Key, place) => {
    const value = ims?.[place]?.im_address
    return value ? { ImAddresses: [{ Key, value }] } : undefined
  })

/** Outlook's fields for phone numbers, by type. */
const phoneFields = {
  work: ['BusinessPhone', 'BusinessPhone2'],
  home: ['HomePhone', 'HomePhone2'],
  mobile: ['MobilePhone'],
  other: ['OtherTelephone'],
} as const satisfies Record<string, readonly (typeof phoneKeys)[number][]>

const isPhoneType = (type: string): type is keyof typeof phoneFields => Object.hasOwn(phoneFields, type)

/** A number without a type is a business number. */
function phonesOf(phones: ContactChange['phone_numbers']): FieldChange[] {
  if (phones === undefined) return []
  const numbers = new Map<string, string>()
  for (const { number, type: given } of phones ?? []) {
    const type = given && isPhoneType(given) ? given : 'work'
    const key = phoneFields[type].find((each) => !numbers.has(each))
    if (key === undefined) {
      throw invalidField(
        'phone_numbers',
        'a contact at Exchange has at most two for work, two for home, one mobile and one other',
      )
    }
    numbers.set(key, number)
  }
  return entries('contacts:PhoneNumber', phoneKeys, (Key) => {
    const value = numbers.get(Key)
    return value ? { PhoneNumbers: [{ Key, value }] } : undefined
  })
}

const places = { work: 'Business', home: 'Home', other: 'Other' } as const
const isPlace = (type: string): type is keyof typeof places => Object.hasOwn(places, type)

/** The parts of an address, by our names and Exchange's. */
const addressParts = {
  street_address: 'Street',
  city: 'City',
  state: 'State',
  country: 'CountryOrRegion',
  postal_code: 'PostalCode',
} as const

/** All three addresses, part by part; parts that are not given are removed. */
function addressesOf(given: ContactChange['physical_addresses']): FieldChange[] {
  if (given === undefined) return []
  const byKey = new Map<string, NonNullable<typeof given>[number]>()
  for (const address of given ?? []) {
    const key = places[address.type && isPlace(address.type) ? address.type : 'other']
    if (byKey.has(key)) throw invalidField('physical_addresses', 'a contact at Exchange has one for each type at most')
    byKey.set(key, address)
  }
  return addressKeys.flatMap((Key) =>
    (Object.keys(addressParts) as (keyof typeof addressParts)[]).map((part) => {
      const element = addressParts[part]
      const value = byKey.get(Key)?.[part]
      const uri: IndexedUri = `contacts:PhysicalAddress:${element}`
      return set(indexedField(uri, Key), value ? { PhysicalAddresses: [{ Key, [element]: value }] } : undefined)
    }),
  )
}

const pagesOf = (pages: ContactChange['web_pages']): FieldChange[] => {
  if (pages === undefined) return []
  const url = pages?.[0]?.url
  return [set(field('contacts:BusinessHomePage'), url ? { BusinessHomePage: url } : undefined)]
}

/** A new contact, made of the fields that are set. */
export function newContact(draft: ContactChange): EwsContact {
  const contact: EwsContact = {}
  for (const { contact: part } of fieldChanges(draft)) if (part && part.Body?.value !== '') merge(contact, part)
  const [email] = draft.emails ?? []
  return { ...contact, ...fileAs(draft, email?.email) }
}

/** The sort name in Outlook. The server computes it from the names, if there are any. */
function fileAs(draft: ContactChange, email: string | undefined): EwsContact {
  if (draft.given_name || draft.surname) return { FileAsMapping: 'LastCommaFirst' }
  if (draft.company_name) return { FileAsMapping: 'Company' }
  return email ? { FileAs: email } : {}
}

/** Appends entries of lists; entries with the same key, such as parts of an address, are merged. */
function merge(contact: EwsContact, part: EwsContact): void {
  const into: Record<string, unknown> = contact
  for (const [name, value] of Object.entries(part)) {
    if (!Array.isArray(value)) {
      into[name] = value
      continue
    }
    const entries = (into[name] ?? []) as { Key: string }[]
    for (const entry of value as { Key: string }[]) {
      const same = entries.find(({ Key }) => Key === entry.Key)
      if (same) Object.assign(same, entry)
      else entries.push({ ...entry })
    }
    into[name] = entries
  }
}
