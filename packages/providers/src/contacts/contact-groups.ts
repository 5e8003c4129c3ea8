/** Groups of the contacts that the service stores. They are not nested, and their names are unique. */
import type { ContactGroup } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { newOrderedId } from '@waypost/platform/ids'
import { z } from 'zod'
import type { CachedSession } from '../io.ts'
import type { Operations } from '../operations.ts'
import { shownContact } from './contact.ts'
import type { GroupRow } from './tables.ts'

/** Limit per account. */
const maxGroups = 500
/** The number of contacts to read at a time when a group is deleted. */
const atOnce = 500

const Place = z.string()

const shownGroup = ({ id, name }: GroupRow, grantId: string): ContactGroup => ({
  id,
  grant_id: grantId,
  object: 'contact_group',
  name,
  group_type: 'user',
  path: id,
})

export async function needGroup({ io }: CachedSession, id: string): Promise<GroupRow> {
  const group = await io.contacts.groups.get(id)
  if (!group) throw new ApiError('not_found', 'no group with this id')
  return group
}

async function needFreeName({ io }: CachedSession, name: string, except?: string): Promise<void> {
  const named = await io.contacts.groups.named(name)
  if (named && named.id !== except) throw new ApiError('conflict', 'there is a group of this name already')
}

/** Removes all members of a deleted group and reports each as changed. */
async function releaseMembers({ grant, io }: CachedSession, groupId: string): Promise<void> {
  for (;;) {
    const rows = await io.contacts.list({ source: 'address_book', groupId, limit: atOnce })
    for (const row of rows) {
      const released = { ...row, groupId: null }
      await io.contacts.update(released)
      await io.notify('contact.updated', shownContact(released, grant.id, io.baseUrl))
    }
    if (rows.length < atOnce) return
  }
}

export const cachedContactGroups: Operations<CachedSession>['contactGroups'] = {
  async list({ grant, io }, { limit }, position) {
    const after = position === undefined ? undefined : Place.parse(position)
    const rows = await io.contacts.groups.list({ after, limit: limit + 1 })
    const items = rows.slice(0, limit).map((row) => shownGroup(row, grant.id))
    const last = items.at(-1)
    return last && rows.length > limit ? { items, next: last.id } : { items }
  },
  get: async (session, at) => shownGroup(await needGroup(session, at.group_id), session.grant.id),
  async create(session, { name }) {
    const { grant, io } = session
    await io.contacts.lock()
    await needFreeName(session, name)
    if ((await io.contacts.groups.count()) >= maxGroups) {
      throw new ApiError('invalid_request', `an account has at most ${maxGroups} groups of contacts: delete one first`)
    }
    const row = { id: newOrderedId(), name }
    await io.contacts.groups.insert(row)
    return shownGroup(row, grant.id)
  },
  async update(session, at, { name }) {
    const { grant, io } = session
    await io.contacts.lock()
    const { id } = await needGroup(session, at.group_id)
    await needFreeName(session, name, id)
    await io.contacts.groups.rename({ id, name })
    return shownGroup({ id, name }, grant.id)
  },
  async delete(session, at) {
    const { io } = session
    await io.contacts.lock()
    const { id } = await needGroup(session, at.group_id)
    await releaseMembers(session, id)
    await io.contacts.groups.remove(id)
  },
}
