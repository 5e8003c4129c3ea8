import type { ContactGroup } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { object, readableItems, text } from '@waypost/platform/json/reader'
import type { Operations } from '../../operations.ts'
import { collectPage } from '../../shared/paging.ts'
import { providerStatus } from '../../shared/refusal.ts'
import type { Session } from '../session.ts'
import { fromGroup, groupName } from './mapping/contact.ts'
import { type GoogleGroup, googleGroup, groupFields, isInvalidId } from './people-api.ts'

const groupList = object({}, { contactGroups: readableItems(googleGroup), nextPageToken: text })

async function readGroup(session: Session, id: string): Promise<GoogleGroup> {
  try {
    return await session.call('people', 'GET', groupName(id), { query: { groupFields }, read: googleGroup })
  } catch (error) {
    throw isInvalidId(error) ? new ApiError('not_found', 'no group with this id') : error
  }
}

async function needOwn(session: Session, id: string): Promise<GoogleGroup> {
  const group = await readGroup(session, id)
  if (group.groupType !== 'SYSTEM_CONTACT_GROUP') return group
  throw new ApiError('invalid_request', 'a group of the system cannot be changed or deleted')
}

const shown = (session: Session, group: GoogleGroup): ContactGroup => fromGroup(group, session.grant.id)

/** Google has at most one group of a name. */
async function findNamed(session: Session, name: string): Promise<GoogleGroup | undefined> {
  const query = { pageSize: 1000, groupFields }
  const answer = await session.call('people', 'GET', 'contactGroups', { query, read: groupList })
  return answer.contactGroups?.find((group) => group.name === name && group.groupType !== 'SYSTEM_CONTACT_GROUP')
}

export const contactGroups: Operations<Session>['contactGroups'] = {
  async list(session, query, position) {
    return collectPage<GoogleGroup, ContactGroup>(
      {
        position,
        limit: query.limit,
        page: async (pageToken, pageSize) => {
          const options = { query: { pageSize, pageToken, groupFields }, read: groupList }
          const answer = await session.call('people', 'GET', 'contactGroups', options)
          return { items: answer.contactGroups ?? [], next: answer.nextPageToken }
        },
      },
      (group) => shown(session, group),
    )
  },
  get: async (session, at) => shown(session, await readGroup(session, at.group_id)),
  async create(session, { name }, { once } = {}) {
    const body = { contactGroup: { name }, readGroupFields: groupFields }
    const options = { body, read: googleGroup }
    const made = await session.call('people', 'POST', 'contactGroups', options).catch(async (error) => {
      const there = once?.again && providerStatus(error) === 409 ? await findNamed(session, name) : undefined
      if (there) return there
      throw error
    })
    return shown(session, made)
  },
  async update(session, at, { name }) {
    const { resourceName, etag } = await needOwn(session, at.group_id)
    const body = {
      contactGroup: { resourceName, etag, name },
      updateGroupFields: 'name',
      readGroupFields: groupFields,
    }
    return shown(session, await session.call('people', 'PUT', groupName(at.group_id), { body, read: googleGroup }))
  },
  async delete(session, at) {
    await needOwn(session, at.group_id)
    await session.execute('people', 'DELETE', groupName(at.group_id))
  },
}
