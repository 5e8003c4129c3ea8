import type { ContactGroup } from '@waypost/contract'
import { groupOf, groupTooFull, groupWithGroups, systemGroup } from '../../contacts/outlook.ts'
import type { Operations } from '../../operations.ts'
import { orNotFound } from '../../shared/named-objects.ts'
import { collect, Place } from '../../shared/paging.ts'
import { providerStatus } from '../../shared/refusal.ts'
import { isMissing } from '../errors.ts'
import { listPage } from '../graph-pages.ts'
import type { Session } from '../session.ts'
import {
  contactsPath,
  folderPath,
  listFolders,
  moveContacts,
  readChildren,
  readChildrenOf,
  readDefaultFolder,
  readFolder,
} from './contact-folders.ts'
import { folderQuery, type GraphFolder, graphContact, graphFolder } from './contacts-api.ts'

const fromFolder = (
  { id, displayName: name = '', parentFolderId: parentId }: GraphFolder,
  grantId: string,
  own?: string,
) => groupOf({ id, name, parentId, isDefault: id === own }, grantId)

const group = <T>(work: () => Promise<T>): Promise<T> => orNotFound('contact group', work, isMissing)

/** A group of the user; the system's group cannot be changed. */
async function needOwn(session: Session, id: string): Promise<{ folder: GraphFolder; defaultId: string | undefined }> {
  const found = await group(() => readFolder(session, id))
  if (found.folder.id !== found.defaultId) return found
  throw systemGroup()
}

/** A page of groups: the system's group first, and each group of the user followed by those in it. */
async function groupPage(
  session: Session,
  place: string | undefined,
  size: number,
): Promise<{ items: ContactGroup[]; next: string | undefined }> {
  const [first, { items: folders, next }] = await Promise.all([
    place === undefined ? readDefaultFolder(session) : undefined,
    listFolders(session, size, place),
  ])
  const children = await readChildrenOf(
    session,
    folders.map(({ id }) => id),
  )
  const all = [...(first ? [first] : []), ...folders.flatMap((folder, index) => [folder, ...(children[index] ?? [])])]
  return { items: all.map((folder) => fromFolder(folder, session.grant.id, first?.id)), next }
}

/** Rounds of 100 contacts. */
const maxRounds = 50

/** Moves the contacts out of a group that is deleted: Graph would delete them with their folder. */
async function releaseContacts(session: Session, id: string, defaultId: string): Promise<void> {
  const list = { path: contactsPath(session, id), query: { $select: 'id', $top: 100 }, read: graphContact }
  for (let count = 0; count < maxRounds; count += 1) {
    const { items, next } = await listPage(session, list)
    const ids = items.map((contact) => contact.id)
    await moveContacts(session, ids, defaultId)
    if (next === undefined) return
  }
  throw groupTooFull()
}

export const contactGroups: Operations<Session>['contactGroups'] = {
  async list(session, query, position) {
    const { items, next } = await collect<ContactGroup>({
      place: position === undefined ? undefined : Place.parse(position),
      limit: query.limit,
      page: (place, size) => groupPage(session, place, size),
    })
    return next ? { items, next } : { items }
  },
  async get(session, at) {
    const { folder, defaultId } = await group(() => readFolder(session, at.group_id))
    return fromFolder(folder, session.grant.id, defaultId)
  },
  async create(session, { name }, { once } = {}) {
    const options = { query: folderQuery, body: { displayName: name }, read: graphFolder }
    const made = await session.call('POST', folderPath(session), options).catch(async (error: unknown) => {
      const there = once?.again && providerStatus(error) === 409 ? await readChildren(session) : []
      const named = there.find((folder) => folder.displayName === name)
      if (named) return named
      throw error
    })
    return fromFolder(made, session.grant.id)
  },
  async update(session, at, { name }) {
    const { folder, defaultId } = await needOwn(session, at.group_id)
    const options = { query: folderQuery, body: { displayName: name }, read: graphFolder }
    const changed = await group(() => session.call('PATCH', folderPath(session, folder.id), options))
    return fromFolder(changed, session.grant.id, defaultId)
  },
  async delete(session, at) {
    const { folder, defaultId } = await needOwn(session, at.group_id)
    const within = await readChildren(session, folder.id)
    if (within.length > 0) throw groupWithGroups()
    if (defaultId !== undefined) await releaseContacts(session, folder.id, defaultId)
    await group(() => session.execute('DELETE', folderPath(session, folder.id)))
  },
}
