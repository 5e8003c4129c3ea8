/** Tools about the service itself: accounts, and the time. */
import { Approval, Grant } from '@waypost/contract'
import { fieldOf, textIn } from '@waypost/platform/json/values'
import { z } from 'zod'
import { Moment, momentOf } from '../content/moment.ts'
import { defineTool } from './define-tool.ts'
import {
  identifierOf,
  itemOf,
  nextCursor,
  pageOf,
  pageQuery,
  paging,
  readsService,
  secondsOf,
  Time,
  timezone,
} from './parts.ts'

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
    facts: { time: momentOf(Math.floor(api.storage.clock.now() / 1000), zone) },
  }),
})

export const convertTime = defineTool({
  name: 'convert_time',
  title: 'Convert a time',
  description: 'Converts a time to a time zone, as ISO 8601 and Unix seconds.',
  operations: [],
  annotations: readsService,
  grant: false,
  input: {
    time: Time.meta({
      description:
        'Unix seconds, ISO 8601 with an offset, or a local time with a zone such as 2026-11-18T09:00[Europe/Berlin]',
    }),
    ...timezone,
  },
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
    return pageOf<Grant>(page, { name: 'grants', one: 'account' }, ({ id, email, provider, grant_status }) => ({
      facts: { id, email, provider, grant_status },
    }))
  },
})

export const getApproval = defineTool({
  name: 'get_approval',
  title: 'State of an approval',
  description: 'Tells whether a person has approved an action that waits, and what came of it.',
  operations: [],
  annotations: { ...readsService, idempotentHint: false },
  grant: false,
  input: { approval_id: identifierOf('approval') },
  output: {
    approval: z.object({
      id: Approval.shape.id,
      status: Approval.shape.status,
      operation: Approval.shape.operation,
      expires_at: Moment,
      draft_id: Approval.shape.draft_id,
      reason: Approval.shape.reason,
      result_status: z.int().optional().meta({ description: 'HTTP status of the action, once it was carried out' }),
      result_id: z.string().optional().meta({ description: 'Id of the message, event or booking that it made' }),
    }),
  },
  run: async ({ call }, { approval_id }) => {
    const approval = itemOf<Approval>(await call('approvals.get', { params: { approval_id } }))
    const { id, status, operation, expires_at, draft_id, reason, result } = approval
    const made = resultId(result?.body)
    return {
      summary: `The action is ${status}.`,
      row: {
        name: 'approval',
        row: {
          facts: {
            id,
            status,
            operation,
            expires_at: momentOf(expires_at, 'UTC'),
            draft_id,
            reason,
            ...(result ? { result_status: result.status } : {}),
            ...(made === undefined ? {} : { result_id: made }),
          },
        },
      },
    }
  },
})

/** The id of the object in a response. */
function resultId(body: unknown): string | undefined {
  const data = fieldOf(body, 'data')
  return textIn(data, 'id') ?? textIn(data, 'booking_id')
}
