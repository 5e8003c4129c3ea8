/** Looking people up in the directory of the organization. */
import {
  boolean,
  element,
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
import { mailbox } from '../types/mailbox.ts'

/** Answers at most 100. Several are a warning that holds them, none is an error. */
export const ResolveNames = operation({
  name: 'ResolveNames',
  reads: true,
  request: element({
    prefix: 'm',
    attributes: {
      ReturnFullContactData: requiredAttribute(boolean),
      SearchScope: enumeration(['ActiveDirectory', 'ActiveDirectoryContacts', 'Contacts', 'ContactsActiveDirectory']),
      ContactDataShape: enumeration(['IdOnly', 'Default', 'AllProperties']),
    },
    places: { UnresolvedEntry: required(text) },
  }),
  answer: message({
    ResolutionSet: list('Resolution', sequence({ Mailbox: mailbox, Contact: contact })),
  }),
})
