/**
 * People who are in no address book: those whom the user writes to, as Graph finds out
 * (https://learn.microsoft.com/graph/people-insights-overview), and the directory of the organization. An account
 * that may read the directory sees all of it; with `People.Read` alone it sees the colleagues whom the user works
 * with.
 */
import type { Contact } from '@waypost/contract'
import { notFound, orNotFound } from '../../shared/named-objects.ts'
import { hasAnyScope } from '../../shared/watched-parts.ts'
import { isMissing } from '../errors.ts'
import { type List, listPage } from '../graph-pages.ts'
import { mailboxPath, type Session } from '../session.ts'
import {
  directoryScopes,
  type GraphPerson,
  type GraphUser,
  graphPerson,
  graphUser,
  peopleScopes,
  userQuery,
} from './contacts-api.ts'
import { fromPerson, fromUser, sourceOfPerson } from './mapping/person.ts'

const directory = new Set(directoryScopes)
const mayReadDirectory = (session: Session): boolean => hasAnyScope(session, directory)

interface PeoplePage {
  items: Contact[]
  next: string | undefined
}

const peopleList = (session: Session, size: number): List<GraphPerson> => ({
  path: mailboxPath(session, 'people'),
  query: { $top: size },
  read: graphPerson,
  scopes: peopleScopes,
})

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

function userList(size: number, email: string | undefined): List<GraphUser> {
  const named = email === undefined ? undefined : quoted(email.trim())
  const query = { ...userQuery, $top: size, $filter: named && `mail eq ${named} or userPrincipalName eq ${named}` }
  return { path: 'users', query, read: graphUser, scopes: directoryScopes }
}

/** A page of people; it may be short, because others are between them. */
export async function peoplePage(
  session: Session,
  source: 'inbox' | 'domain',
  at: { place: string | undefined; size: number; email: string | undefined },
): Promise<PeoplePage> {
  if (source === 'domain' && mayReadDirectory(session)) {
    const { items, next } = await listPage(session, userList(at.size, at.email), at.place)
    return { items: items.map((user) => fromUser(user, session.grant.id)), next }
  }
  const { items, next } = await listPage(session, peopleList(session, at.size), at.place)
  const wanted = items.filter((person) => sourceOfPerson(person) === source)
  return { items: wanted.map((person) => fromPerson(person, session.grant.id)), next }
}

const largestPage = 1000
const maxPages = 5

/** One person whom the user works with or writes to. Graph returns them only in a list. */
export async function readPerson(session: Session, id: string): Promise<Contact> {
  let place: string | undefined
  for (let count = 0; count < maxPages; count += 1) {
    const { items, next } = await listPage(session, peopleList(session, largestPage), place)
    const found = items.find((person) => person.id === id && sourceOfPerson(person) !== undefined)
    if (found) return fromPerson(found, session.grant.id)
    if (next === undefined) break
    place = next
  }
  throw notFound('contact')
}

export const userPath = (id: string): string => `users/${encodeURIComponent(id)}`

export const readUser = (session: Session, id: string): Promise<Contact> =>
  orNotFound(
    'contact',
    async () => {
      const options = { query: userQuery, read: graphUser, scopes: directoryScopes }
      return fromUser(await session.call('GET', userPath(id), options), session.grant.id)
    },
    isMissing,
  )
