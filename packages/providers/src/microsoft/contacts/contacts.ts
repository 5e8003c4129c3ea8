import type { Contact, ContactChange } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { givenPicture, notWritable } from '../../contacts/outlook.ts'
import { unknownGroup } from '../../contacts/unknown-group.ts'
import type { Operations } from '../../operations.ts'
import { notFound, orNotFound } from '../../shared/named-objects.ts'
import { providerStatus } from '../../shared/refusal.ts'
import { isMissing } from '../errors.ts'
import { mailboxPath, type Session } from '../session.ts'
import {
  contactsPath,
  defaultFolder,
  folderPath,
  needMoved,
  readDefaultFolder,
  readFolderIds,
} from './contact-folders.ts'
import { listContacts } from './contact-lists.ts'
import { addressBookScopes, contactQuery, folderQuery, type GraphContact, graphContact } from './contacts-api.ts'
import { fromGraphContact, toGraphContact } from './mapping/contact.ts'
import { readContactId } from './mapping/person.ts'
import { readPerson, readUser, userPath } from './people.ts'
import { contactPicture, pictureStays, pictureUrl, readPicture, writePicture } from './pictures.ts'

const contactPath = (session: Session, id: string): string => mailboxPath(session, `contacts/${encodeURIComponent(id)}`)

const shown = (session: Session, contact: GraphContact): Contact =>
  fromGraphContact(contact, session.grant.id, pictureUrl(session, contact.id))

const contact = <T>(work: () => Promise<T>): Promise<T> => orNotFound('contact', work, isMissing)

/**
 * A contact of the address book. A deleted contact is in Deleted Items under the same id and does not count. The
 * default folder is read in the same request, and all folders if the contact is in another one.
 */
async function readContact(session: Session, id: string): Promise<GraphContact> {
  const [found, own] = await session.batch(
    [
      { path: contactPath(session, id), query: contactQuery },
      { path: folderPath(session, defaultFolder), query: folderQuery },
    ],
    graphContact,
  )
  if (!found || found instanceof ApiError) throw withScopes(found)
  const { parentFolderId = '' } = found
  if (own && !(own instanceof ApiError) && own.id === parentFolderId) return found
  if ((await readFolderIds(session)).has(parentFolderId)) return found
  throw notFound('contact')
}

/** Graph names no scopes when it denies access, so the sufficient ones are named here. */
function withScopes(error: ApiError | undefined): ApiError {
  if (error === undefined || isMissing(error)) return notFound('contact')
  if (providerStatus(error) !== 403) return error
  const words = `the grant lacks a scope that Microsoft asks for: one of ${addressBookScopes.join(', ')}`
  return new ApiError('insufficient_scopes', words, error.details)
}

function needWritable(id: string): string {
  if (readContactId(id).kind !== 'contact') throw notWritable()
  return id
}

/** A contact from the address book, from mail or from the directory, with the path of its picture. */
async function readAny(session: Session, named: string): Promise<{ contact: Contact; picturePath?: string }> {
  const { kind, id } = readContactId(named)
  if (kind === 'person') return { contact: await readPerson(session, id) }
  if (kind === 'user') return { contact: await readUser(session, id), picturePath: `${userPath(id)}/photo/$value` }
  return { contact: shown(session, await readContact(session, id)), picturePath: contactPicture(session, id) }
}

/** The contact with the picture that was written: Graph may return it only a little later. */
const pictured = (session: Session, found: Contact): Contact => ({
  ...found,
  picture_url: pictureUrl(session, found.id),
})

/** The folder for a contact: that of its one group, or the default folder. */
const folderFor = async (session: Session, groups: NonNullable<ContactChange['groups']>): Promise<string> =>
  groups[0]?.id ?? (await readDefaultFolder(session)).id

/** The contact exists, so what Graph does not find is the folder. */
async function inKnownGroup<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isMissing(error) ? unknownGroup() : error
  }
}

/** Changes a contact; fields that are not sent stay as they are. */
async function change(session: Session, before: GraphContact, wanted: ContactChange): Promise<GraphContact> {
  const fields = toGraphContact(wanted)
  const { groups } = wanted
  const folderId = groups === undefined ? undefined : await folderFor(session, groups ?? [])
  if (Object.keys(fields).length === 0 && folderId === undefined) return before
  const body = { ...fields, ...(folderId === undefined ? {} : { parentFolderId: folderId }) }
  const path = contactPath(session, before.id)
  const write = () => session.call('PATCH', path, { body, read: graphContact })
  const changed = await (folderId === undefined ? contact(write) : inKnownGroup(write))
  if (folderId !== undefined) needMoved(changed, folderId)
  // Graph returns the picture property only on request, so it is taken over.
  const { singleValueExtendedProperties: properties } = before
  return properties ? { ...changed, singleValueExtendedProperties: properties } : changed
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
    if (picture) givenPicture(picture, 'Microsoft')
    const folderId = groups?.[0]?.id
    const body = toGraphContact(draft)
    const made = await inKnownGroup(() =>
      session.call('POST', contactsPath(session, folderId), { body, read: graphContact }),
    )
    if (!picture) return shown(session, made)
    await writePicture(session, made.id, picture)
    return pictured(session, shown(session, made))
  },
  async update(session, at, wanted) {
    const id = needWritable(at.contact_id)
    const { picture } = wanted
    if (picture) givenPicture(picture, 'Microsoft')
    const before = await readContact(session, id)
    const removes = picture === null || picture === ''
    if (removes && shown(session, before).picture_url !== undefined) throw pictureStays()
    const changed = shown(session, await change(session, before, wanted))
    if (!picture) return changed
    await contact(() => writePicture(session, id, picture))
    return pictured(session, changed)
  },
  async delete(session, at) {
    const { id } = await readContact(session, needWritable(at.contact_id))
    await contact(() => session.execute('DELETE', contactPath(session, id)))
  },
}
