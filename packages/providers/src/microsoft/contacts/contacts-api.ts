/**
 * Graph's answers for contacts, their folders, people and users, as far as they are read here
 * (https://learn.microsoft.com/graph/api/resources/contact).
 */
import { list, nonEmptyText, object, type Read, text } from '@waypost/platform/json/reader'

const address = object({}, { street: text, city: text, state: text, postalCode: text, countryOrRegion: text })
export type GraphAddress = Read<typeof address>

const extendedProperty = object({ id: text }, { value: text })

export const graphContact = object(
  { id: nonEmptyText },
  {
    parentFolderId: text,
    displayName: text,
    givenName: text,
    middleName: text,
    surname: text,
    generation: text,
    nickName: text,
    birthday: text,
    companyName: text,
    jobTitle: text,
    manager: text,
    officeLocation: text,
    personalNotes: text,
    emailAddresses: list(object({}, { address: text })),
    businessPhones: list(text),
    homePhones: list(text),
    mobilePhone: text,
    imAddresses: list(text),
    businessAddress: address,
    homeAddress: address,
    otherAddress: address,
    businessHomePage: text,
    singleValueExtendedProperties: list(extendedProperty),
  },
)
export type GraphContact = Read<typeof graphContact>

/**
 * Graph does not return whether a contact has a picture. Exchange stores it in the property `PidLidHasPicture`
 * (MS-OXPROPS; MS-OXOCNTC: it follows the picture), which Graph returns if it is requested by name.
 */
export const hasPicture = 'Boolean {00062004-0000-0000-C000-000000000046} Id 0x8015'

/** The requested fields of a contact. */
export const contactQuery = {
  $select: [
    'id,parentFolderId,displayName,givenName,middleName,surname,generation,nickName,birthday,companyName,jobTitle',
    'manager,officeLocation,personalNotes,emailAddresses,businessPhones,homePhones,mobilePhone,imAddresses',
    'businessAddress,homeAddress,otherAddress,businessHomePage',
  ].join(','),
  $expand: `singleValueExtendedProperties($filter=id eq '${hasPicture}')`,
}

export const graphFolder = object({ id: nonEmptyText }, { displayName: text, parentFolderId: text })
export type GraphFolder = Read<typeof graphFolder>
export const folderQuery = { $select: 'id,displayName,parentFolderId' }

/** A person whom the user works with or writes to (https://learn.microsoft.com/graph/api/resources/person). */
export const graphPerson = object(
  { id: nonEmptyText },
  {
    displayName: text,
    givenName: text,
    surname: text,
    companyName: text,
    jobTitle: text,
    officeLocation: text,
    userPrincipalName: text,
    scoredEmailAddresses: list(object({}, { address: text })),
    phones: list(object({}, { type: text, number: text })),
    personType: object({}, { class: text, subclass: text }),
  },
)
export type GraphPerson = Read<typeof graphPerson>

/** A user of the directory (https://learn.microsoft.com/graph/api/resources/user). */
export const graphUser = object(
  { id: nonEmptyText },
  {
    displayName: text,
    givenName: text,
    surname: text,
    jobTitle: text,
    officeLocation: text,
    mail: text,
    userPrincipalName: text,
    businessPhones: list(text),
    mobilePhone: text,
  },
)
export type GraphUser = Read<typeof graphUser>
export const userQuery = {
  $select: 'id,displayName,givenName,surname,jobTitle,officeLocation,mail,userPrincipalName,businessPhones,mobilePhone',
}

/** Scopes of which one is needed. */
export const addressBookScopes = ['Contacts.Read', 'Contacts.ReadWrite']
export const peopleScopes = ['People.Read', 'People.Read.All']
export const directoryScopes = ['User.ReadBasic.All', 'User.Read.All']
