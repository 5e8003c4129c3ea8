/** Searches the directory of the organization, and reads pictures. */
import {
  base64,
  boolean,
  enumeration,
  list,
  message,
  required,
  requiredAttribute,
  sequence,
  text,
} from '../soap/description.ts'
import { operation } from '../soap/operation.ts'
import { contact } from '../types/contact.ts'
import { mailbox } from '../types/ids.ts'

/** Returns at most 100 entries. Several entries come with a warning; none is an error. */
export const ResolveNames = operation({
  name: 'ResolveNames',
  reads: true,
  request: message(
    { UnresolvedEntry: required(text) },
    {
      ReturnFullContactData: requiredAttribute(boolean),
      SearchScope: enumeration(['ActiveDirectory', 'ActiveDirectoryContacts', 'Contacts', 'ContactsActiveDirectory']),
      ContactDataShape: enumeration(['IdOnly', 'Default', 'AllProperties']),
    },
  ),
  answer: message({ ResolutionSet: list('Resolution', sequence({ Mailbox: mailbox, Contact: contact })) }),
})

/** A person without a picture is an error, and an unknown person a failure of the server. */
export const GetUserPhoto = operation({
  name: 'GetUserPhoto',
  since: 'Exchange2013',
  reads: true,
  isBare: true,
  request: message({ Email: required(text), SizeRequested: required(enumeration(['HR240x240'])) }),
  answer: message({ HasChanged: boolean, PictureData: base64 }),
})
