// The contacts of an account, for tests. Changes made here look like those of another client of the user.
import { changeWritten, type WrittenChange } from '../items/scripted.ts'
import type { World } from '../model.ts'
import type { Account } from '../owner.ts'
import { itemOfId } from '../store/lookup.ts'
import type { StoredFolder, StoredItem } from '../store/stored.ts'
import { type WrittenBody, writtenCall, writtenNode } from '../written.ts'
import { contactType, distributionListType } from './contact-type.ts'
import type { ContactContent, ListMember } from './content.ts'
import { fileAs } from './names.ts'
import { setUserPhoto } from './photos.ts'

export interface SimulatedContacts {
  /** Adds a contact with the elements of `<t:Contact>`; default: to the default folder. */
  addContact(body: WrittenBody, folderId?: string): { id: string }
  /** Sets elements; null deletes one. In an element with entries, only the named entries change. */
  changeContact(id: string, body: WrittenChange): void
  /** Attaches the picture of a contact. */
  setPicture(id: string, picture: { readonly contentType: string; readonly bytes: Uint8Array }): void
  deleteContact(id: string): void
  /** Moves a contact to another folder, where it gets a new id. */
  moveContact(id: string, folderId: string): { id: string }
  addDistributionList(name: string, members: readonly ListMember[], folderId?: string): { id: string }
  addFolder(name: string, parentId?: string): { id: string }
  deleteFolder(id: string): void
  /** The contacts of all folders except Deleted Items. */
  list(): SimulatedContact[]
  /** Sets the directory's picture of the user. */
  setUserPhoto(photo: Uint8Array | undefined): void
}

export interface SimulatedContact extends Omit<ContactContent, 'attachments'> {
  readonly id: string
  readonly folderId: string
  readonly fileAs: string | undefined
  readonly pictures: readonly Uint8Array[]
}

export function openContacts(owner: Account, world: World): SimulatedContacts {
  const { mailbox } = owner
  const folderNamed = (id?: string): StoredFolder => {
    const folder =
      id === undefined ? mailbox.folders.standard('contacts') : mailbox.folders.all().find((one) => one.id === id)
    if (folder === undefined) throw new Error(`There is no folder ${id}`)
    return folder
  }
  const call = (operation: string) => writtenCall(world, owner, { operation })
  const find = (id: string) => itemOfId(call('GetItem'), id)

  return {
    addContact(body, folderId) {
      const [added] =
        contactType.create?.(call('CreateItem'), writtenNode('Contact', body), folderNamed(folderId)) ?? []
      return { id: added?.id ?? '' }
    },
    changeContact(id, body) {
      changeWritten(call('CreateItem'), id, body)
    },
    setPicture(id, { contentType, bytes }) {
      const item = find(id) as StoredItem<ContactContent>
      const others = item.content.attachments.filter(({ isContactPhoto }) => isContactPhoto !== true)
      const number = Math.max(0, ...item.content.attachments.map((one) => one.number)) + 1
      const named = { kind: 'file', name: 'ContactPicture.jpg', isInline: false, contentId: null, number } as const
      const picture = { ...named, contentType, bytes, modifiedAt: world.now(), isContactPhoto: true }
      item.content = { ...item.content, attachments: [...others, picture] }
      mailbox.change(item as StoredItem)
    },
    deleteContact: (id) => mailbox.move(find(id), mailbox.folders.standard('deleteditems')),
    moveContact(id, folderId) {
      const item = find(id)
      mailbox.move(item, folderNamed(folderId))
      return { id: item.id }
    },
    addDistributionList(name, members, folderId) {
      const [added] =
        distributionListType.create?.(
          call('CreateItem'),
          writtenNode('DistributionList', { DisplayName: name, Subject: name }),
          folderNamed(folderId),
        ) ?? []
      if (added === undefined) throw new Error('No list was made')
      Object.assign(added, { content: { ...(added.content as object), members } })
      return { id: added.id }
    },
    addFolder(displayName, parentId) {
      const parent = folderNamed(parentId)
      const wish = { displayName, parent, element: 'ContactsFolder', folderClass: 'IPF.Contact' } as const
      return { id: mailbox.addFolder(wish).id }
    },
    deleteFolder: (id) => mailbox.removeFolder(folderNamed(id)),
    list: () =>
      mailbox
        .items()
        .filter((item): item is StoredItem<ContactContent> => item.type.element === 'Contact')
        .filter(({ folder }) => folder.element === 'ContactsFolder')
        .map(shown),
    setUserPhoto: (photo) => setUserPhoto(owner, photo),
  }
}

function shown({ id, folder, content: { attachments, ...content } }: StoredItem<ContactContent>): SimulatedContact {
  const pictures = attachments.filter(({ isContactPhoto }) => isContactPhoto === true).map(({ bytes }) => bytes)
  return { ...content, id, folderId: folder.id, fileAs: fileAs(content), pictures }
}
