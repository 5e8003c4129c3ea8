import type { Contact, ContactChange, ContactDraft } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { givenPicture, notWritable } from '../../contacts/outlook.ts'
import { unknownGroup } from '../../contacts/unknown-group.ts'
import type { Operations } from '../../operations.ts'
import { notFound, orNotFound } from '../../shared/named-objects.ts'
import { isMissing } from '../errors.ts'
import { theirId } from '../ids.ts'
import { CreateItem, DeleteItem, MoveItem, UpdateItem } from '../operations/items.ts'
import type { Session } from '../session.ts'
import { deleteField, setField } from '../types/changes.ts'
import { type AnyFolderId, folder, item } from '../types/ids.ts'
import { contactFolders } from './contact-folders.ts'
import { defaultPlace, listContacts, shownContact } from './contact-lists.ts'
import { directoryAddress, readDirectoryContact, readUserPhoto } from './directory.ts'
import { type FieldChange, fieldChanges, newContact, touchesName } from './mapping/contact-changes.ts'
import { type ContactItem, onContact, readContact, readItem } from './named-contacts.ts'
import { readPicture, writePicture } from './pictures.ts'

function shown(session: Session, contact: ContactItem): Contact {
  const [ours] = shownContact(session, contact)
  if (!ours) throw notFound('contact')
  return ours
}

function needWritable(id: string): string {
  if (directoryAddress(id) !== undefined) throw notWritable()
  return id
}

/** The folder for a contact: that of its one group, or the default folder. */
async function placeOf(session: Session, groups: NonNullable<ContactChange['groups']>): Promise<AnyFolderId> {
  const [group] = groups
  if (group === undefined) return defaultPlace
  const id = theirId(group.id)
  const isGroup = id !== undefined && (await contactFolders(session)).some(({ ewsId }) => ewsId === id)
  if (!isGroup) throw unknownGroup()
  return folder(id)
}

/** Changes fields of a contact, regardless of concurrent changes of other fields. */
async function writeFields(session: Session, id: string, changes: readonly FieldChange[]): Promise<void> {
  if (changes.length === 0) return
  const Updates = changes.map(({ path, contact }) =>
    contact === undefined ? deleteField(path) : setField(path, { kind: 'Contact', ...contact }),
  )
  await onContact(session, id, (itemId) =>
    session.call(UpdateItem, {
      ConflictResolution: 'AlwaysOverwrite',
      ItemChanges: [{ Id: item(itemId), Updates }],
    }),
  )
}

/** Moves a contact to a folder. Its item then has another id, which is returned if the server names it. */
async function move(session: Session, id: string, to: AnyFolderId): Promise<string | undefined> {
  const ask = (itemId: string) => session.call(MoveItem, { ToFolderId: to, ItemIds: [item(itemId)] })
  const { Items } = await onContact(session, id, ask)
  return Items?.[0]?.ItemId?.Id
}

/** Whether a contact is already in a folder. */
async function isIn(session: Session, { ParentFolderId }: ContactItem, to: AnyFolderId): Promise<boolean> {
  const id = to.kind === 'FolderId' ? to.Id : (await contactFolders(session)).find((one) => one.isDefault)?.ewsId
  return ParentFolderId !== undefined && ParentFolderId.Id === id
}

async function create(session: Session, draft: ContactDraft): Promise<Contact> {
  const { picture, groups } = draft
  if (picture) givenPicture(picture, 'Exchange')
  const contact = newContact(draft)
  const place = await placeOf(session, groups ?? [])
  const { Items } = await orNotFound(
    'contact group',
    () => session.call(CreateItem, { SavedItemFolderId: place, Items: [{ kind: 'Contact', ...contact }] }),
    isMissing,
  )
  const itemId = Items?.[0]?.ItemId?.Id
  if (itemId === undefined) throw new ApiError('provider_unavailable', 'Exchange does not say which contact it made')
  if (picture) await writePicture(session, { itemId, before: undefined }, picture)
  return shown(session, await readItem(session, itemId))
}

const withPicture = (contact: Contact, picture: string | undefined): Contact =>
  picture === undefined ? contact : { ...contact, picture }

export const contacts: Operations<Session>['contacts'] = {
  list: listContacts,
  async get(session, at) {
    const address = directoryAddress(at.contact_id)
    if (address !== undefined) {
      const person = await readDirectoryContact(session, address)
      return withPicture(person, at.profile_picture ? await readUserPhoto(session, person) : undefined)
    }
    const found = await readContact(session, at.contact_id)
    return withPicture(shown(session, found), at.profile_picture ? await readPicture(session, found) : undefined)
  },
  create,
  async update(session, at, wanted) {
    const id = needWritable(at.contact_id)
    const { picture, groups } = wanted
    if (picture) givenPicture(picture, 'Exchange')
    // Invalid input is refused before any request.
    fieldChanges(wanted)
    const isWhole = picture !== undefined || groups !== undefined || touchesName(wanted)
    const before = isWhole ? await readContact(session, id) : undefined
    const place = groups === undefined ? undefined : await placeOf(session, groups ?? [])
    await writeFields(session, id, fieldChanges(wanted, before && shown(session, before)))
    if (picture !== undefined && before?.ItemId) {
      await writePicture(session, { itemId: before.ItemId.Id, before }, picture || null)
    }
    const isMoved = place && before && !(await isIn(session, before, place))
    const itemId = isMoved ? await move(session, id, place) : undefined
    return shown(session, await (itemId === undefined ? readContact(session, id) : readItem(session, itemId)))
  },
  async delete(session, at) {
    const id = needWritable(at.contact_id)
    await onContact(session, id, (itemId) =>
      session.call(DeleteItem, { DeleteType: 'MoveToDeletedItems', ItemIds: [item(itemId)] }),
    )
  },
}
