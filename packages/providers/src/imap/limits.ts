/** Features that IMAP mailboxes lack. */
import type { ContactMaxima } from '../contacts/contact.ts'
import { defineLimits, ignored, unsupported } from '../limits.ts'

const sharedFrom = { shared_from: unsupported('name a folder of the account itself') }
const sharing = { ...sharedFrom, shared_folder_id: unsupported('name a folder of the account with `in`') }
const hidden = { include_hidden_folders: unsupported('all folders that the server lists are returned') }
const parent = "folders are nested by name: write parent and child with the server's separator"
const folderFields = {
  parent_id: unsupported(parent),
  text_color: ignored('folders have no colors'),
  background_color: ignored('folders have no colors'),
}

/** Limits of the contract for IMAP mailboxes. */
export const contactMaxima: ContactMaxima = {
  emails: 1,
  phone_numbers: 1,
  im_addresses: 1,
  physical_addresses: 1,
  web_pages: 1,
  groups: 1,
}

/** Features that mail on any IMAP server lacks. */
export const mailLimits = defineLimits({
  'messages.list': { query: sharing },
  'messages.clean': { query: sharedFrom },
  'messages.get': { query: sharedFrom },
  'messages.update': { query: sharedFrom },
  'messages.delete': { query: sharedFrom },
  'messages.send': { body: { use_draft: unsupported('leave it out: Waypost stores the message until it is sent') } },
  'threads.list': { query: sharing },
  'threads.get': { query: sharing },
  'threads.update': { query: sharing },
  'threads.delete': { query: sharing },
  'folders.list': {
    query: {
      ...sharedFrom,
      ...hidden,
      parent_id: unsupported('all folders are in one list: use their names'),
      single_level: unsupported('all folders are in one list: use their names'),
    },
  },
  'folders.get': { query: { ...sharedFrom, ...hidden } },
  'folders.create': { query: sharedFrom, body: folderFields },
  'folders.update': { query: sharedFrom, body: folderFields },
  'folders.delete': { query: sharedFrom },
})

export const limits = defineLimits({
  ...mailLimits,
  'contacts.list': {
    query: {
      'source[]': unsupported('there is no directory: use `address_book` and `inbox`', { values: ['domain'] }),
      recurse: ignored('contact groups cannot be nested'),
    },
  },
})
