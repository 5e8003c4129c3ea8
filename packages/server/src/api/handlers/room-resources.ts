import type { Handlers } from '../pipeline/handler-types.ts'

export const roomResources: Handlers['roomResources'] = {
  list: ({ op, query, position }) => op(query, position),
}
