import type { Handlers } from '../pipeline/handler-types.ts'

export const folders: Handlers['folders'] = {
  list: ({ op, query, position }) => op(query, position),
  create: ({ change, query, body, once }) => change((op) => op({ ...query, once }, body)),
  get: ({ op, params, query }) => op({ ...query, ...params }),
  update: ({ change, params, query, body, once }) => change((op) => op({ ...query, ...params, once }, body)),
  delete: ({ change, params, query }) => change((op) => op({ ...query, ...params })),
}
