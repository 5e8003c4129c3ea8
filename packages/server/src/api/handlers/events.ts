import type { Handlers } from './index.ts'

export const events: Handlers['events'] = {
  list: ({ op, query, position }) => op(query, position),
  import: ({ op, query, position }) => op(query, position),
  get: ({ op, params, query }) => op({ ...params, calendar_id: query.calendar_id }),
  create: ({ change, query, body }) => change((op) => op(query, body)),
  update: ({ change, params, query, body }) => change((op) => op({ ...query, ...params }, body)),
  delete: ({ change, params, query }) => change((op) => op({ ...query, ...params })),
  rsvp: ({ change, params, query, body }) => {
    const skip_email = query.skip_email ?? query.skip_nylas_email ?? false
    return change((op) => op({ ...params, calendar_id: query.calendar_id, skip_email }, body))
  },
}
