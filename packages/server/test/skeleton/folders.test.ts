/** A provider with folders only passes the conformance suite: its operations table lacks the rest, which is skipped. */
import type { Folder } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { newId } from '@waypost/platform/ids'
import { defineLimits, unsupported } from '@waypost/providers/limits'
import { defineProvider } from '@waypost/providers/provider'
import { providers } from '@waypost/providers/registry'
import { accountOf, type Call } from '../conformance/accounts.ts'
import { describeProvider } from '../conformance/describe-provider.ts'
import { type MailSubject, roles, withoutMessages } from '../conformance/mail-subject.ts'
import { openService } from '../harness.ts'

type Shelf = Map<string, Pick<Folder, 'id' | 'name' | 'attributes'>>
/** The folders of each account. */
const shelves = new Map<string, Shelf>()

const newShelf = (): Shelf =>
  new Map(Object.entries(roles).map(([name, role]) => [name, { id: name, name, attributes: [role] }]))

interface Session {
  grantId: string
  shelf: Shelf
}

const shown = ({ grantId: grant_id }: Session, folder: Pick<Folder, 'id' | 'name' | 'attributes'>): Folder => ({
  ...folder,
  grant_id,
  object: 'folder',
  total_count: 0,
  unread_count: 0,
})

function found(session: Session, id: string) {
  const folder = session.shelf.get(id)
  if (!folder) throw new ApiError('not_found')
  return folder
}

function save(session: Session, folder: Pick<Folder, 'id' | 'name' | 'attributes'>): Folder {
  const isTaken = session.shelf.values().some(({ id, name }) => name === folder.name && id !== folder.id)
  if (isTaken) throw new ApiError('conflict', 'there is a folder with this name')
  session.shelf.set(folder.id, folder)
  return shown(session, folder)
}

const flat = unsupported('its folders have one level')
const folderProvider = defineProvider<Session>()({
  // Accounts of this kind are opened; a real provider has its own kind.
  kind: 'ews',
  limits: defineLimits({ 'folders.list': { query: { parent_id: flat, single_level: flat } } }),
  authenticate: async ({ ews_username: email }) => ({
    ...{ name: null, providerUserId: null, scope: [], settings: {}, credentials: {} },
    email: `${email}`,
  }),
  open: ({ id, email }) => ({ grantId: id, shelf: shelves.get(email ?? '') ?? new Map() }),
  folders: {
    async list(session, { limit }, position) {
      const start = Number(position ?? 0)
      const all = [...session.shelf.values()].map((folder) => shown(session, folder))
      const end = start + limit
      return { items: all.slice(start, end), ...(end < all.length ? { next: end } : {}) }
    },
    get: async (session, { folder_id: id }) => shown(session, found(session, id)),
    create: async (session, _at, { name }) => save(session, { id: newId(), name, attributes: [] }),
    update: async (session, { folder_id: id }, change) => {
      const folder = found(session, id)
      return save(session, { ...folder, name: change.name ?? folder.name })
    },
    async delete(session, { folder_id: id }) {
      if (found(session, id).attributes.length > 0) throw new ApiError('conflict', 'every account has this folder')
      session.shelf.delete(id)
    },
  },
})

const folders: MailSubject = {
  name: 'a provider with folders only',
  lacks: ['nested-folders'],
  search: { subject: (word) => word, wrong: [] },
  async open() {
    const service = await openService({ overrides: { providers: { ...providers, ews: folderProvider } } })
    const { key } = await service.createApplication('Folders')
    const call: Call = (method, path, options) => service.call(method, path, { key, ...options })
    await call('POST', '/v3/connectors', { body: { provider: 'ews' } })
    return {
      service,
      key,
      call,
      async newAccount() {
        const email = `${newId()}@people.test`
        const shelf = newShelf()
        shelves.set(email, shelf)
        const settings = { ews_username: email, ews_password: 'any', ews_host: '127.0.0.1' }
        const { body } = await call('POST', '/v3/connect/custom', { body: { provider: 'ews', settings } })
        const named = (wanted: string): string => shelf.values().find(({ name }) => name === wanted)?.id ?? ''
        return {
          ...withoutMessages,
          ...accountOf(call, { grantId: body.data.id, email }),
          other: {
            ...withoutMessages.other,
            async createFolder(name) {
              const id = newId()
              shelf.set(id, { id, name, attributes: [] })
            },
            async renameFolder(name, to) {
              shelf.set(named(name), { id: named(name), name: to, attributes: [] })
            },
            async deleteFolder(name) {
              shelf.delete(named(name))
            },
            folders: async () => Array.from(shelf.values(), ({ name }) => name),
          },
        }
      },
      [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
    }
  },
}

await describeProvider(() => ({ adapter: folderProvider, mail: folders }))
