import type { Handlers } from '../context.ts'

export const roomResources: Handlers['roomResources'] = {
  list: ({ op, query, position }) => op(query, position),
}
