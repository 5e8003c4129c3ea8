import type { Contact, ContactChange } from '@waypost/contract'
import { ApiError } from '../../../lib/api-error.ts'
import type { Operations } from '../../operations.ts'
import { orNotFound } from '../../shared/named-objects.ts'
import { isMissing } from '../errors.ts'
import { mailboxPath, type Session } from '../session.ts'
import { contactsPath, readDefaultFolder } from './contact-folders.ts'
import { listContacts } from './contact-lists.ts'
import { needMoved } from './contact-moves.ts'
import { addressBookScopes, contactQuery, type GraphContact, graphContact } from './contacts-api.ts'
import { fromGraphContact, toGraphContact } from './mapping/contact.ts'
import { readContactId } from './mapping/person.ts'
import { readPerson, readUser, userPath } from './people.ts'
import { contactPicture, pictureOf, pictureUrl, readPicture, writePicture } from './pictures.ts'

const notWritable = (): ApiError =>
  new ApiError('invalid_request', 'only contacts of the address book can be changed or deleted')

const contactPath = (session: Session, id: string): string => mailboxPath(session, `contacts/${encodeURIComponent(id)}`)

const shown = (session: Session, contact: GraphContact): Contact =>
  fromGraphContact(contact, session.grant.id, pictureUrl(session, contact.id))

const contact = <T>(work: () => Promise<T>): Promise<T> => orNotFound('contact', work, isMissing)

const readContact = (session: Session, id: string): Promise<Contact> =>
  contact(async () => {
    const options = { query: contactQuery, read: graphContact, scopes: addressBookScopes }
    return shown(session, await session.call('GET', contactPath(session, id), options))
  })

function needWritable(id: string): string {
  if (readContactId(id).kind !== 'contact') throw notWritable()
  return id
}

/** One that is known from the address book, from mail or from the directory, and where its picture is. */
async function readAny(session: Session, named: string): Promise<{ contact: Contact; picturePath?: string }> {
  const { kind, id } = readContactId(named)
  if (kind === 'person') return { contact: await readPerson(session, id) }
  if (kind === 'user') return { contact: await readUser(session, id), picturePath: `${userPath(id)}/photo/$value` }
  return { contact: await readContact(session, id), picturePath: contactPicture(session, id) }
}

/** The contact with the picture that was written: Graph may know of it a little later. */
function pictured(session: Session, found: Contact, picture: string | null): Contact {
  const { picture_url: _, ...rest } = found
  return picture === null ? rest : { ...rest, picture_url: pictureUrl(session, found.id) }
}

/** The folder that a client wants a contact in: that of its one group, or the one that every mailbox has. */
const folderFor = async (session: Session, groups: NonNullable<ContactChange['groups']>): Promise<string> =>
  groups[0]?.id ?? (await readDefaultFolder(session)).id

/** Changes a contact; what is not told to Graph stays as it is. */
async function change(session: Session, id: string, wanted: ContactChange): Promise<void> {
  const fields = toGraphContact(wanted)
  const { groups } = wanted
  const folderId = groups === undefined ? undefined : await folderFor(session, groups ?? [])
  if (Object.keys(fields).length === 0 && folderId === undefined) return
  const body = { ...fields, ...(folderId === undefined ? {} : { parentFolderId: folderId }) }
  const changed = await contact(() => session.call('PATCH', contactPath(session, id), { body, read: graphContact }))
  if (folderId !== undefined) needMoved(changed, folderId)
}

export const contacts: Operations<Session>['contacts'] = {
  list: listContacts,
  async get(session, at) {
    const { contact: found, picturePath } = await readAny(session, at.contact_id)
    if (!at.profile_picture || picturePath === undefined) return found
    const picture = await readPicture(session, picturePath)
    return picture === undefined ? found : { ...found, picture }
  },
  async create(session, draft) {
    const { picture, groups } = draft
    if (picture) pictureOf(picture)
    const folderId = groups?.[0]?.id
    const body = toGraphContact(draft)
    const made = await orNotFound(
      'contact group',
      () => session.call('POST', contactsPath(session, folderId), { body, read: graphContact }),
      isMissing,
    )
    if (!picture) return shown(session, made)
    await writePicture(session, made.id, picture)
    return pictured(session, shown(session, made), picture)
  },
  async update(session, at, wanted) {
    const id = needWritable(at.contact_id)
    const { picture } = wanted
    if (picture) pictureOf(picture)
    await change(session, id, wanted)
    if (picture === undefined) return readContact(session, id)
    await contact(() => writePicture(session, id, picture || null))
    return pictured(session, await readContact(session, id), picture || null)
  },
  async delete(session, at) {
    const id = needWritable(at.contact_id)
    await contact(() => session.execute('DELETE', contactPath(session, id)))
  },
}
