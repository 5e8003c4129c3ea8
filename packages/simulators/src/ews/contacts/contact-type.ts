// The item types of contacts and distribution lists.
import { detachedItem, storeDetached } from '../items/detached.ts'
import { setFields } from '../items/writing.ts'
import type { EwsCall, Field, ItemType } from '../model.ts'
import { frameFields } from '../shapes/frame-fields.ts'
import { bodyAsText, keptAttachments, nothingSaid, saidFields, searchedItem } from '../shapes/said-fields.ts'
import { EwsError } from '../soap/errors.ts'
import { namedKey, tagKey } from '../store/extended.ts'
import type { ExtendedField, StoredFolder, StoredItem } from '../store/stored.ts'
import type { XmlNode } from '../xml/read.ts'
import { element } from '../xml/write.ts'
import { type ContactContent, type DistributionListContent, emailKeys } from './content.ts'
import { entryFields } from './entry-fields.ts'
import { hasPicture, valueFields } from './fields.ts'
import { mimeField } from './mime.ts'
import { fileAs } from './names.ts'

export const emptyContact: ContactContent = {
  ...nothingSaid,
  texts: {},
  lists: {},
  times: {},
  emails: {},
  phones: {},
  instantMessages: {},
  addresses: {},
}

/** Creates an item, by default in the contacts folder. */
function createIn<Content>(
  call: EwsCall,
  written: XmlNode,
  folder: StoredFolder | undefined,
  type: ItemType<Content>,
  content: Content,
): StoredItem {
  const target = folder ?? call.account.mailbox.folders.standard('contacts')
  if (target.element !== 'ContactsFolder' && target.wellKnownName !== 'deleteditems') {
    throw new EwsError(
      'ErrorCannotCreateContactInNonContactFolder',
      'Contacts can only be created in a contact folder.',
    )
  }
  const item = detachedItem(type, content, target) as StoredItem
  setFields(call, item, written)
  return storeDetached(item, target)
}

/** The MAPI properties behind the fields, for clients that request them. [MS-OXOCNTC] */
const extended: Record<string, ExtendedField<ContactContent>> = {
  [namedKey('Address', 0x8015, 'Boolean')]: { value: (item) => String(hasPicture(item)) },
  [namedKey('Address', 0x8005, 'String')]: { value: ({ content }) => fileAs(content) },
  [tagKey(0x0037, 'String')]: { value: ({ content }) => content.text.subject || undefined },
}
emailKeys.forEach((key, index) => {
  const base = 0x8080 + index * 0x10
  const property = (id: number, value: (entry: ContactContent['emails'][string]) => string) => {
    extended[namedKey('Address', base + id, 'String')] = {
      value({ content }) {
        const entry = content.emails[key]
        return entry === undefined ? undefined : value(entry)
      },
    }
  }
  property(0, ({ name, address }) => name ?? address)
  property(2, ({ routingType }) => routingType)
  property(3, ({ address }) => address)
  property(4, ({ address }) => address)
})

/** Outlook's follow-up flag of a contact. The simulator stores it and sends no reminders. */
const reminder = tagKey(0x8503, 'Boolean')
const reminderMinutes = tagKey(0x8501, 'Integer')
const reminderFields: readonly Field<ContactContent>[] = [
  {
    uri: 'item:ReminderIsSet',
    name: 'ReminderIsSet',
    shape: 'AllProperties',
    write: ({ extended: retained }) => element('t:ReminderIsSet', retained.get(reminder) === 'true'),
    value: ({ extended: retained }) => retained.get(reminder) === 'true',
    set: ({ extended: retained }, { text }) => void retained.set(reminder, String(['true', '1'].includes(text.trim()))),
  },
  {
    uri: 'item:ReminderMinutesBeforeStart',
    name: 'ReminderMinutesBeforeStart',
    shape: 'AllProperties',
    write: ({ extended: retained }) =>
      element('t:ReminderMinutesBeforeStart', String(retained.get(reminderMinutes) ?? 0)),
    set: ({ extended: retained }, { text }) => void retained.set(reminderMinutes, text.trim()),
  },
]

export const contactType: ItemType<ContactContent> = {
  element: 'Contact',
  itemClass: 'IPM.Contact',
  fields: [...frameFields, ...saidFields, mimeField, ...reminderFields, ...valueFields, ...entryFields],
  extended,
  attachments: keptAttachments,
  copyContent: (content) => content,
  create: (call, written, folder) => [createIn(call, written, folder, contactType, emptyContact)],
  searched(item) {
    const { texts, emails, text } = item.content
    const addresses = Object.values(emails).map(({ address }) => address)
    const content = [...Object.values(texts), ...addresses, bodyAsText(text.body)].join(' ')
    const subject = texts.DisplayName ?? fileAs(item.content) ?? ''
    return searchedItem(item, { kind: 'contacts', text: { subject, body: { contentType: 'text', content } } })
  },
}

const listFields: readonly Field<DistributionListContent>[] = [
  {
    uri: 'contacts:DisplayName',
    name: 'DisplayName',
    shape: 'Default',
    write: ({ content }) => element('t:DisplayName', content.displayName),
    value: ({ content }) => content.displayName,
    set(item, { text }) {
      item.content = { ...item.content, displayName: text }
    },
  },
  {
    uri: 'contacts:FileAs',
    name: 'FileAs',
    shape: 'Default',
    write: ({ content }) => element('t:FileAs', content.displayName),
    value: ({ content }) => content.displayName,
  },
  {
    uri: 'distributionlist:Members',
    name: 'Members',
    shape: 'AllProperties',
    onlyGet: true,
    since: 'Exchange2010',
    write: ({ content }) =>
      element(
        't:Members',
        content.members.map(({ name, address }, index) =>
          element('t:Member', { Key: `member${index + 1}` }, [
            element('t:Mailbox', [
              element('t:Name', name),
              element('t:EmailAddress', address),
              element('t:RoutingType', 'SMTP'),
              element('t:MailboxType', 'OneOff'),
            ]),
            element('t:Status', 'Normal'),
          ]),
        ),
      ),
  },
]

const emptyList: DistributionListContent = { ...nothingSaid, displayName: '', members: [] }

export const distributionListType: ItemType<DistributionListContent> = {
  element: 'DistributionList',
  itemClass: 'IPM.DistList',
  fields: [...frameFields, ...saidFields, ...listFields],
  attachments: keptAttachments,
  copyContent: (content) => content,
  create: (call, written, folder) => [createIn(call, written, folder, distributionListType, emptyList)],
}
