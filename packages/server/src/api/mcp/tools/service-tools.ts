/** Tools about the service itself: accounts, and the time. */
import { Grant } from '@waypost/contract'
import { z } from 'zod'
import { Moment, momentOf } from '../content/moment.ts'
import { defineTool } from './define-tool.ts'
import { counted, itemsOf, nextCursor, pageQuery, paging, readsService, secondsOf, Time, timezone } from './parts.ts'

export const currentTime = defineTool({
  name: 'current_time',
  title: 'Current time',
  description: 'Returns the current time in a time zone.',
  operations: [],
  annotations: { ...readsService, idempotentHint: false },
  grant: false,
  input: timezone,
  output: { time: Moment },
  run: async ({ context: { api } }, { timezone: zone }) => ({
    summary: 'Current time.',
    facts: { time: momentOf(Math.floor(api.clock.now() / 1000), zone) },
  }),
})

export const convertTime = defineTool({
  name: 'convert_time',
  title: 'Convert a time',
  description: 'Converts a time to a time zone, as ISO 8601 and Unix seconds.',
  operations: [],
  annotations: readsService,
  grant: false,
  input: { time: Time.meta({ description: 'Unix seconds, or ISO 8601 with an offset' }), ...timezone },
  output: { time: Moment },
  run: async (_, { time, timezone: zone }) => ({
    summary: 'Converted time.',
    facts: { time: momentOf(secondsOf(time), zone) },
  }),
})

const shownGrant = { id: Grant.shape.id, provider: Grant.shape.provider, email: Grant.shape.email }

export const listGrants = defineTool({
  name: 'list_grants',
  title: 'List accounts',
  description: 'Lists the connected accounts (grants) that this credential may use. Other tools take their ids.',
  operations: [],
  annotations: readsService,
  grant: false,
  input: paging,
  output: {
    grants: z.array(z.object({ ...shownGrant, grant_status: Grant.shape.grant_status })),
    ...nextCursor,
  },
  run: async ({ call }, args) => {
    const page = await call('grants.list', {
      query: { ...pageQuery(args), select: 'id,provider,email,grant_status' },
    })
    const grants = itemsOf<Pick<Grant, 'id' | 'provider' | 'email' | 'grant_status'>>(page)
    return {
      summary: counted(grants.length, 'account'),
      rows: {
        name: 'grants',
        rows: grants.map(({ id, email, provider, grant_status }) => ({ facts: { id, email, provider, grant_status } })),
      },
      nextCursor: page.next_cursor,
    }
  },
})
