import type { Contact, ContactChange } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { EgressError } from '@waypost/platform/egress/error'
import { object } from '@waypost/platform/json/reader'
import { pictureBytes, pictureUri } from '../../contacts/picture.ts'
import { unknownGroup } from '../../contacts/unknown-group.ts'
import type { Operations } from '../../operations.ts'
import { notFound } from '../../shared/named-objects.ts'
import { providerReason, providerStatus } from '../../shared/refusal.ts'
import type { Session } from '../session.ts'
import { findOther, listContacts } from './contact-lists.ts'
import { fromPerson, personName, toPerson } from './mapping/contact.ts'
import { type GoogleContact, googleContact, isInvalidId, personFields } from './people-api.ts'

const changedPicture = object({ person: googleContact }, {})

const notWritable = (): ApiError =>
  new ApiError('invalid_request', 'only contacts of the address book can be changed or deleted')

const shown = (session: Session, person: GoogleContact): Contact => fromPerson(person, session.grant.id)

async function readPerson(session: Session, id: string): Promise<GoogleContact> {
  const path = personName(id)
  const person = path
    ? await session
        .call('people', 'GET', path, { query: { personFields }, read: googleContact })
        .catch((error: unknown) => Promise.reject(isInvalidId(error) ? notFound('contact') : error))
    : await findOther(session, id)
  if (!person) throw notFound('contact')
  return person
}

/** A contact of the address book, as it is now. */
async function readWritable(session: Session, id: string): Promise<{ path: string; person: GoogleContact }> {
  const path = personName(id)
  if (!path) throw notWritable()
  const person = await readPerson(session, id)
  if (shown(session, person).source !== 'address_book') throw notWritable()
  return { path, person }
}

/** Sets or removes the picture of a contact. */
async function writePicture(session: Session, path: string, picture: string | null): Promise<GoogleContact> {
  if (picture === null) {
    const options = { query: { personFields }, read: changedPicture }
    return (await session.call('people', 'DELETE', `${path}:deleteContactPhoto`, options)).person
  }
  const body = { photoBytes: pictureBytes(picture), personFields }
  const options = { body, read: changedPicture }
  return (await session.call('people', 'PATCH', `${path}:updateContactPhoto`, options)).person
}

/** Writes the changed fields of a contact that was read. Google refuses if another client has changed it since. */
async function writeFields(
  session: Session,
  path: string,
  person: GoogleContact,
  fields: Partial<GoogleContact>,
): Promise<GoogleContact> {
  const { resourceName, etag, metadata } = person
  const sources = metadata?.sources
    ?.filter(({ type }) => type === 'CONTACT')
    .map(({ type, id, etag: tag }) => ({
      type,
      id,
      etag: tag,
    }))
  const body = { resourceName, etag, metadata: { sources }, ...fields }
  const query = { updatePersonFields: Object.keys(fields).join(','), personFields }
  return session.call('people', 'PATCH', `${path}:updateContact`, { query, body, read: googleContact })
}

const isStale = (error: unknown): boolean =>
  providerStatus(error) === 412 ||
  (providerStatus(error) === 400 && /failedPrecondition|FAILED_PRECONDITION/i.test(providerReason(error)))

/** Google refuses a membership in an unknown group. */
const asUnknownGroup = (error: unknown, { groups }: ContactChange): unknown =>
  groups?.length && [400, 404].includes(providerStatus(error) ?? 0) && /group/i.test(providerWords(error))
    ? unknownGroup()
    : error

const providerWords = (error: unknown): string =>
  error instanceof ApiError ? String(error.details.providerError?.message ?? '') : ''

/** Changes a contact. If another client changed it meanwhile, it is read and written once more. */
async function change(session: Session, id: string, wanted: ContactChange): Promise<GoogleContact> {
  for (let attempt = 1; ; attempt += 1) {
    const { path, person } = await readWritable(session, id)
    const fields = toPerson(wanted, person)
    if (Object.keys(fields).length === 0) return person
    try {
      return await writeFields(session, path, person, fields)
    } catch (error) {
      if (!isStale(error)) throw asUnknownGroup(error, wanted)
      if (attempt === 2) throw new ApiError('conflict', 'the contact is being changed by somebody else; try again')
    }
  }
}

export const contacts: Operations<Session>['contacts'] = {
  list: listContacts,
  async get(session, at) {
    const contact = shown(session, await readPerson(session, at.contact_id))
    const picture = at.profile_picture ? await pictureOf(session, contact.picture_url) : undefined
    return picture === undefined ? contact : { ...contact, picture }
  },
  async create(session, draft) {
    const { picture } = draft
    if (picture) pictureUri(picture)
    const body = toPerson(draft)
    const options = { read: googleContact, query: { personFields }, body }
    const made = await session
      .call('people', 'POST', 'people:createContact', options)
      .catch((error: unknown) => Promise.reject(asUnknownGroup(error, draft)))
    if (!picture) return shown(session, made)
    return shown(session, await writePicture(session, made.resourceName, picture))
  },
  async update(session, at, wanted) {
    const { picture } = wanted
    if (picture) pictureUri(picture)
    const changed = await change(session, at.contact_id, wanted)
    if (picture === undefined) return shown(session, changed)
    return shown(session, await writePicture(session, changed.resourceName, picture))
  },
  async delete(session, at) {
    const path = personName(at.contact_id)
    if (!path) throw notWritable()
    await session
      .execute('people', 'DELETE', `${path}:deleteContact`)
      .catch((error: unknown) => Promise.reject(isInvalidId(error) ? notFound('contact') : error))
  },
}

const maxBytes = 5 * 1024 * 1024

/** A picture, which Google serves without a token, as a data: URI; undefined if it cannot be read. */
async function pictureOf({ io }: Session, url: string | undefined): Promise<string | undefined> {
  if (url === undefined) return undefined
  const requested = { url, method: 'GET', maxBytes: maxBytes, onOverflow: 'fail', signal: io.signal } as const
  io.calls?.add(1)
  const answer = await io.request(requested).catch((error: unknown) => {
    if (error instanceof EgressError && !io.signal.aborted) return undefined
    throw error
  })
  if (answer?.status !== 200) return undefined
  const type = /^image\/[\w.+-]+/i.exec(`${answer.headers['content-type'] ?? ''}`)?.[0] ?? 'image/jpeg'
  return `data:${type};base64,${answer.body.toString('base64')}`
}
