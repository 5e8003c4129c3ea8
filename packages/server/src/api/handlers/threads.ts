import type { Thread } from '@waypost/contract'
import type { Queries } from '@waypost/store/engine/database'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import type { Services } from '../../services/services.ts'
import type { Handlers } from '../pipeline/handler-types.ts'
import { areTagged, tagThreads } from './mail-metadata.ts'

async function tagOne(queries: Queries, record: GrantRecord, thread: Thread, query: { select?: string[] | undefined }) {
  const [tagged] = await tagThreads(queries, record, [thread], query)
  return tagged ?? thread
}

export const threads = ({ storage: { database } }: Pick<Services, 'storage'>): Handlers['threads'] => ({
  list: async ({ grant, op, query, position }) => {
    const requested = areTagged(database, grant, query, 'latest_draft_or_message')
    const [page, mayBeTagged] = await Promise.all([op(query, position), requested])
    return mayBeTagged ? { ...page, items: await tagThreads(database, grant, page.items, query) } : page
  },
  get: async ({ grant, op, params, query }) => tagOne(database, grant, await op({ ...query, ...params }), query),
  update: ({ grant, change, params, query, body }) =>
    change(async (op, queries) => tagOne(queries, grant, await op({ ...query, ...params }, body), query)),
  delete: ({ change, params, query }) => change((op) => op({ ...query, ...params })),
})
