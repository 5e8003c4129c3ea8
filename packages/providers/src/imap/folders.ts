import type { Folder } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import type { Operations } from '../operations.ts'
import { pageByKey } from '../shared/key-pages.ts'
import { type FolderState, fromState } from './folder-state.ts'
import { allWithApiErrors, findFolder, needFolder, refreshFolders, type Session } from './session.ts'

const folderOf = (session: Session, state: FolderState): Folder => fromState(state, session.grant.id)

async function findCreated(session: Session, path: string): Promise<Folder> {
  const folders = await refreshFolders(session)
  const made = folders.find((folder) => folder.path === path)
  if (!made) throw new ApiError('provider_refused', 'the mail server did not create a folder with this name')
  return folderOf(session, made)
}

function checkName(name: string, folders: readonly FolderState[]): void {
  const delimiter = folders[0]?.delimiter
  if (delimiter && name.split(delimiter).some((part) => part === '')) {
    throw invalidField('name', `write a folder inside another one as parent${delimiter}child; no part may be empty`)
  }
}

export const folders: Operations<Session>['folders'] = allWithApiErrors({
  async list(session, query, position) {
    const states = await refreshFolders(session)
    const { items, ...next } = pageByKey(states, ({ path }) => path, { position, limit: query.limit })
    return { items: items.map((state) => folderOf(session, state)), ...next }
  },

  async get(session, at) {
    return folderOf(session, needFolder(await refreshFolders(session), at.folder_id))
  },

  async create(session, at, draft) {
    const states = await refreshFolders(session)
    checkName(draft.name, states)
    const there = states.find(({ path }) => path === draft.name)
    if (there && at.once?.again) return folderOf(session, there)
    if (there) throw new ApiError('conflict', `name: a folder with this name already exists`)
    const { signal } = session.io
    const made = await session.mailbox.pool.use({ signal }, (client) => client.mailboxCreate(draft.name))
    if (!made.created) throw new ApiError('conflict', `name: a folder with this name already exists`)
    return findCreated(session, made.path)
  },

  async update(session, at, change) {
    const states = await refreshFolders(session)
    const { name } = change
    const named = states.find(({ path }) => path === name)
    if (at.once?.again && named && !findFolder(states, at.folder_id)) return folderOf(session, named)
    const folder = needFolder(states, at.folder_id)
    if (name === undefined || name === folder.path) return folderOf(session, folder)
    checkName(name, states)
    refuseSystem(folder, 'renamed')
    if (states.some(({ path }) => path === name))
      throw new ApiError('conflict', `name: a folder with this name already exists`)
    const { signal } = session.io
    const moved = await session.mailbox.pool.use({ signal }, (client) => client.mailboxRename(folder.path, name))
    return findCreated(session, moved.newPath)
  },

  async delete(session, at) {
    const folder = needFolder(await refreshFolders(session), at.folder_id)
    refuseSystem(folder, 'deleted')
    const { signal } = session.io
    await session.mailbox.pool.use({ signal }, (client) => client.mailboxDelete(folder.path))
    await refreshFolders(session)
  },
} satisfies Operations<Session>['folders'])

/** Folders that mail clients and Waypost rely on. */
function refuseSystem({ path, use }: FolderState, what: string): void {
  const needed = ['\\Inbox', '\\Sent', '\\Drafts', '\\Trash']
  if (use && needed.includes(use))
    throw new ApiError('provider_refused', `${path} is the ${use} folder and cannot be ${what}`)
}
