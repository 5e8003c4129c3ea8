import { locatorFor } from '../../grants/locator.ts'
import { invalidField } from '../../lib/api-error.ts'
import type { Services } from '../../services.ts'
import type { Handlers } from './index.ts'

export const calendars: Handlers['calendars'] = {
  list: ({ op, query, position }) => op(query, position),
  get: ({ op, params }) => op(params),
  create: ({ change, body }) => change((op) => op(body)),
  update: ({ change, params, body }) => change((op) => op(params, body)),
  delete: ({ change, params }) => change((op) => op(params)),
  freeBusy: ({ op, body }) => op(body),
}

const create = { resource: 'calendars', operation: 'create' } as const

export const virtualCalendars = ({ sessions }: Services): Handlers['virtualCalendars'] => ({
  create: async (context) => {
    const { application, query, body, write } = context
    const { grant_id: named, ...draft } = body
    const segment = query.grant_id ?? named
    if (segment === undefined) throw invalidField('grant_id', 'name the virtual account, in the body or the query')
    const record = await sessions.find(application.id, locatorFor(segment))
    // The path is for the accounts that we keep ourselves; others have their own.
    if (!sessions.providerOf(record, 'calendars.create').local) {
      throw invalidField('grant_id', 'is not a virtual account: use POST /v3/grants/<grant_id>/calendars')
    }
    const use = { signal: () => context.signal, remarks: {} }
    return write((tx) => sessions.operation(record, create, { ...use, queries: tx })(draft))
  },
})
