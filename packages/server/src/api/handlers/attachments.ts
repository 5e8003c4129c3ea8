import type { Handlers } from '../pipeline/handler-types.ts'

export const attachments: Handlers['attachments'] = {
  list: ({ op, params }) => op(params),
  get: ({ op, params, query }) => op({ ...query, ...params }),
  download: ({ op, params, query }) => op({ ...query, ...params }),
}
