import type { Handlers } from '../pipeline/handler-types.ts'

export const attachments: Handlers['attachments'] = {
  get: ({ op, params, query }) => op({ ...query, ...params }),
  download: ({ op, params, query }) => op({ ...query, ...params }),
}
