/**
 * People of the organization's directory. Exchange can search it but not list it: ResolveNames finds at most 100
 * entries for a text. So they are found by address, and their ids contain the address.
 */

import type { Contact, ContactListQuery } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { groupsElsewhere } from '../../contacts/outlook.ts'
import { isSameNumber } from '../../contacts/phone-number.ts'
import type { Page } from '../../operations.ts'
import { notFound } from '../../shared/named-objects.ts'
import { hasCode } from '../errors.ts'
import { GetUserPhoto, ResolveNames } from '../operations/resolve-names.ts'
import type { Session } from '../session.ts'
import { fromResolution, withoutRouting } from './mapping/contact.ts'
import { uriOf } from './pictures.ts'

/** Their ids show that they are not contacts of the address book. */
const mark = 'user-'

const idOf = (address: string): string => `${mark}${Buffer.from(address.toLowerCase()).toString('base64url')}`

/** The address in an id; undefined for a contact of the address book. */
export const directoryAddress = (id: string): string | undefined =>
  id.startsWith(mark) ? Buffer.from(id.slice(mark.length), 'base64url').toString() : undefined

const isSame = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase()

/** The entries for a text, with all addresses. */
async function resolve(session: Session, entry: string): Promise<Contact[]> {
  try {
    const { ResolutionSet } = await session.call(ResolveNames, {
      ReturnFullContactData: true,
      SearchScope: 'ActiveDirectory',
      ...(session.server.since('Exchange2010_SP2') ? { ContactDataShape: 'AllProperties' as const } : {}),
      UnresolvedEntry: entry,
    })
    return (ResolutionSet ?? []).flatMap(({ Mailbox, Contact: contact }) => {
      const address = withoutRouting(Mailbox?.EmailAddress ?? '')
      if (!address.includes('@')) return []
      const shown = { id: idOf(address), grantId: session.grant.id }
      return [fromResolution({ address, name: Mailbox?.Name, contact }, shown)]
    })
  } catch (error) {
    if (hasCode(error, 'ErrorNameResolutionNoResults')) return []
    throw error
  }
}

/** The entries with an address: as the primary one, which Exchange searches by itself, or as another one. */
async function findByAddress(session: Session, email: string): Promise<Contact[]> {
  const address = email.trim()
  const has = ({ emails }: Contact): boolean => emails.some((one) => isSame(one.email, address))
  const found = (await resolve(session, address)).filter(has)
  return found.length > 0 ? found : (await resolve(session, `smtp:${address}`)).filter(has)
}

export async function listDirectory(session: Session, query: ContactListQuery): Promise<Page<Contact>> {
  const { email, phone_number: phone, group, limit } = query
  if (group !== undefined) throw groupsElsewhere()
  if (email === undefined || email.trim() === '') {
    throw invalidField('email', 'must name whom to search for: the Exchange directory can be searched but not listed')
  }
  const found = await findByAddress(session, email)
  const items = found.filter(
    ({ phone_numbers: phones }) => phone === undefined || phones.some(({ number }) => isSameNumber(number, phone)),
  )
  return { items: items.slice(0, limit) }
}

export async function readDirectoryContact(session: Session, address: string): Promise<Contact> {
  const id = idOf(address)
  const found = address === '' ? [] : await findByAddress(session, address)
  const [contact] = found.filter((one) => one.id === id)
  if (!contact) throw notFound('contact')
  return contact
}

/** A picture as a data: URI; undefined if there is none or it cannot be read. */
export async function readUserPhoto(session: Session, { emails: [first] }: Contact): Promise<string | undefined> {
  if (!first || !session.server.since('Exchange2013')) return undefined
  try {
    const request = { Email: first.email, SizeRequested: 'HR240x240' as const }
    const { PictureData } = await session.call(GetUserPhoto, request, { retries: false })
    return PictureData && PictureData.length > 0 ? uriOf(PictureData, undefined) : undefined
  } catch (error) {
    // Servers fail if there is no picture; a refused account is reported.
    if (session.io.signal.aborted || !(error instanceof ApiError) || error.code === 'grant_invalid') throw error
    return undefined
  }
}
