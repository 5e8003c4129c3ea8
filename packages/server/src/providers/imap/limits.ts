/** What mailboxes at IMAP servers do not have. */
import type { ContactMaxima } from '../contacts/contact.ts'
import { defineLimits, ignored, unsupported } from '../limits.ts'

const sharedFrom = { shared_from: unsupported('name a folder of the account itself') }
const sharing = { ...sharedFrom, shared_folder_id: unsupported('name a folder of the account with `in`') }
const hidden = { include_hidden_folders: unsupported('all folders that the server lists are shown') }
const parent = 'folders lie in others by their names: write parent and child with the separator of the server'
const folderFields = {
  parent_id: unsupported(parent),
  text_color: ignored('folders have no colours'),
  background_color: ignored('folders have no colours'),
}

/** The contract's figures for mailboxes at IMAP servers. */
export const contactMaxima: ContactMaxima = {
  emails: 1,
  phone_numbers: 1,
  im_addresses: 1,
  physical_addresses: 1,
  web_pages: 1,
  groups: 1,
}

/** What mail at an IMAP server does not have, whichever kind of account it is of. */
export const mailLimits = defineLimits({
  'messages.list': { query: sharing },
  'messages.clean': { query: sharedFrom },
  'messages.get': { query: sharedFrom },
  'messages.update': { query: sharedFrom },
  'messages.delete': { query: sharedFrom },
  'messages.send': { body: { use_draft: unsupported('leave it out: the message waits with the service') } },
  'threads.list': { query: sharing },
  'threads.get': { query: sharing },
  'threads.update': { query: sharing },
  'threads.delete': { query: sharing },
  'folders.list': {
    query: {
      ...sharedFrom,
      ...hidden,
      parent_id: unsupported('all folders are in one list: look at their names'),
      single_level: unsupported('all folders are in one list: look at their names'),
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
      'source[]': unsupported('there is no directory: ask for `address_book` and `inbox`', { values: ['domain'] }),
      recurse: ignored('groups of contacts lie in no others'),
    },
  },
})
