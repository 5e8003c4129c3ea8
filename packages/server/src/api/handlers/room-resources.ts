import type { Handlers } from '../pipeline/context.ts'

export const roomResources: Handlers['roomResources'] = {
  list: ({ op, query, position }) => op(query, position),
}
