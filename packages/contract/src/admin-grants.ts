/** Routes with which administrators read and manage grants. */
import { z } from 'zod'
import {
  booleanParam,
  choiceParam,
  cursorPaging,
  Id,
  line,
  listParam,
  Timestamp,
  textParam,
  timeParam,
} from './fields.ts'
import { Grant } from './grants.ts'
import { limitingObject } from './limiting.ts'
import { ExpiryReason } from './overview.ts'
import { route } from './route.ts'

export const AdminGrant = Grant.extend({
  last_used_at: Timestamp.nullable().meta({
    description: 'Time of the last API use in Unix seconds; null if never used',
  }),
}).meta({ id: 'AdminGrant', description: 'A grant as seen by an administrator' })
export type AdminGrant = z.output<typeof AdminGrant>

export const GrantActivity = z
  .object({
    last_used_at: Timestamp.nullable().meta({
      description: 'Time of the last API use in Unix seconds; null if never used',
    }),
    watch: z
      .object({
        state: z.enum(['watching', 'resting', 'starting', 'off', 'unsupported']).meta({
          description:
            '`watching`: changes are detected and reported; `resting`: the last attempt failed; `starting`: the first attempt has not finished; `off`: the grant is invalid, blocked, or watching is disabled; `unsupported`: the provider does not report changes',
        }),
        node_id: Id.nullable().meta({ description: 'Id of the node that watches the grant; null if none does' }),
        synced_at: Timestamp.nullable().meta({
          description:
            'Time when all changes were last fetched, in Unix seconds. Updated every 30 minutes if there are no changes',
        }),
        failures: z.int().meta({ description: 'Number of consecutive failed attempts' }),
        next_try_at: Timestamp.nullable().meta({
          description: 'Time of the next attempt in Unix seconds if `state` is `resting`; otherwise null',
        }),
      })
      .meta({ description: 'State of the watch for changes' }),
    errors: z
      .array(
        z.object({
          at: Timestamp.meta({ description: 'Time of the error in Unix seconds' }),
          operation: z.string().meta({ description: 'Id of the route, or `changes` for the watch' }),
          type: z.string().meta({ description: 'Error type as returned by the API' }),
          message: z.string().meta({ description: 'Error message' }),
          request_id: Id.nullable().meta({ description: 'Id of the failed request; null if there was none' }),
        }),
      )
      .meta({ description: 'The last 20 errors caused by the account, its provider or the service, newest first' }),
    operations: z.array(z.string()).meta({
      description:
        'Ids of the routes below `/v3/grants/{grant_id}` that the grant supports, such as `messages.list`: the provider offers them and the scopes allow them',
    }),
  })
  .meta({ id: 'GrantActivity', description: 'Use, watch and recent errors of a grant' })
export type GrantActivity = z.output<typeof GrantActivity>

export const TimelineEntry = z
  .object({
    id: z.string().meta({ description: 'Id of the entry' }),
    at: Timestamp.meta({
      description: 'Time of the entry in Unix seconds; for `calls`, the start of the hour',
    }),
    kind: z
      .enum([
        ...(['created', 'authenticated', 'changed', 'expired', 'blocked', 'unblocked'] as const),
        ...(['notification', 'calls', 'error', 'refusal'] as const),
      ])
      .meta({
        description:
          '`created` to `unblocked`: events of the grant (`changed`: new credentials or scopes); `notification`: a change was reported; `calls`: calls of one route within an hour; `error`: the account, its provider or the service failed; `refusal`: a call failed with 4xx',
      }),
    reason: ExpiryReason.nullable().meta({ description: 'For `expired`: the reason; null if unknown' }),
    message: z.string().nullable().meta({
      description: 'For `expired`, `error` and `refusal`: the message; otherwise null',
    }),
    operation: z.string().nullable().meta({
      description: 'For `calls`, `error` and `refusal`: id of the route, or `changes` for the watch; otherwise null',
    }),
    type: z.string().nullable().meta({
      description:
        'For `error` and `refusal`: the error type; for `notification`: its type, such as `message.created`; otherwise null',
    }),
    notification_id: Id.nullable().meta({ description: 'For `notification`: its id; otherwise null' }),
    request_id: Id.nullable().meta({
      description: 'Id of the request; for `calls`, of the last one; null if there was none',
    }),
    calls: z
      .object({
        requests: z.int().meta({ description: 'Number of calls' }),
        refused: z.int().meta({ description: 'Number of calls that failed with 4xx' }),
        errors: z.int().meta({ description: 'Number of calls that failed with 5xx' }),
        mean_ms: z.int().meta({ description: 'Average response time in milliseconds' }),
        last_at: Timestamp.meta({ description: 'Time of the last call in Unix seconds' }),
      })
      .nullable()
      .meta({ description: 'For `calls`: totals; otherwise null' }),
  })
  .meta({ id: 'TimelineEntry', description: 'An entry in the timeline of a grant' })
export type TimelineEntry = z.output<typeof TimelineEntry>

export const GrantCompletion = limitingObject({
  code: line(512).min(1).meta({ description: 'Code from the hosted sign-in. It works once, for ten minutes' }),
  redirect_uri: z.string().min(1).max(2048).meta({ description: 'Redirect URI with which the code was requested' }),
  code_verifier: line(128).min(1).optional().meta({
    description: 'PKCE verifier, if the code was requested with a `code_challenge`',
  }),
}).meta({ id: 'GrantCompletion', description: 'Completion of a hosted sign-in that an administrator started' })
export type GrantCompletion = z.output<typeof GrantCompletion>

const application = '/v3/admin/applications/:application_id'

/** Filters for listing, counting and exporting grants. */
const grantFilters = {
  search: line(256).min(1).optional().meta({
    description: 'Only grants whose address, name or id contains this text',
  }),
  grant_status: choiceParam(['valid', 'invalid']).meta({ description: 'Only grants with this status' }),
  provider: textParam().meta({ description: 'Only grants of this provider' }),
  workspace_id: textParam().meta({ description: 'Only grants of this workspace' }),
  blocked: booleanParam().meta({
    description: '`true`: only blocked grants; `false`: only grants that are not blocked',
  }),
  created_since: timeParam().meta({ description: 'Only grants created at or after this time, in Unix seconds' }),
  created_before: timeParam().meta({ description: 'Only grants created before this time, in Unix seconds' }),
  last_used_since: timeParam().meta({ description: 'Only grants last used at or after this time, in Unix seconds' }),
  last_used_before: timeParam().meta({
    description: 'Only grants not used since this time, or never used, in Unix seconds',
  }),
}

export const Count = z
  .object({
    count: z.int().meta({ description: 'Number of matching objects, or a lower bound' }),
    more: z.boolean().meta({ description: '`true`: counting stopped early, so there may be more' }),
  })
  .meta({ id: 'Count', description: 'Number of objects that match a filter' })
export type Count = z.output<typeof Count>

export const adminGrants = {
  list: route({
    method: 'GET',
    path: `${application}/grants`,
    summary: 'List the grants of an application',
    description:
      'Newest first, unless `sort` is given. A filter without an index, such as part of an address, searches at most 20,000 grants per call. The page can then be short or empty and still have a `next_cursor`.',
    audience: 'administrator',
    query: z.object({
      ...cursorPaging(),
      ...grantFilters,
      sort: choiceParam(['created_at', 'last_used_at', 'email', 'grant_status']).meta({
        description: 'Sort key; default `created_at`. Grants that were never used count as least recently used.',
      }),
      order: choiceParam(['asc', 'desc']).meta({
        description: '`desc` (default): newest or most recently used first; `asc`: the reverse',
      }),
    }),
    returns: AdminGrant,
    list: 'cursor',
    errors: ['not_found'],
  }),
  count: route({
    method: 'GET',
    path: `${application}/grants/count`,
    summary: 'Count grants of an application',
    description:
      'Uses the same filters as the list. The count is exact up to 10,000. Beyond that, or if more than 100,000 grants would have to be searched, `more` is true.',
    audience: 'administrator',
    query: z.object(grantFilters),
    returns: Count,
    errors: ['not_found'],
  }),
  complete: route({
    method: 'POST',
    path: `${application}/grants/complete`,
    summary: 'Complete a hosted sign-in and create its grant',
    description:
      'Exchanges a code like `POST /v3/connect/token`, but for an administrator and without tokens. `<base URL>/dashboard/connected` is accepted as redirect URI for every application.',
    audience: 'administrator',
    body: GrantCompletion,
    returns: Grant,
    errors: ['not_found', 'invalid_grant', 'grant_limit_reached'],
  }),
  activity: route({
    method: 'GET',
    path: `${application}/grants/:grant_id/activity`,
    summary: 'Get the activity of a grant',
    description:
      'Returns its use, its watch and its last errors. Figures are written every few seconds, so the latest activity may be missing.',
    audience: 'administrator',
    returns: GrantActivity,
    errors: ['not_found', 'grant_not_found'],
  }),
  timeline: route({
    method: 'GET',
    path: `${application}/grants/:grant_id/timeline`,
    summary: 'Get the timeline of a grant',
    description:
      'Newest first: grant events, reported changes, calls per hour and route, and single errors and refusals with request ids. Contains no account data. Retention: grant events 90 days (the creation forever), calls 7 days, the last 20 errors and 20 refusals, and notifications as long as the application retains them for a destination or the stream. Administrator calls are not included. Entries are written every few seconds, so the latest may be missing.',
    audience: 'administrator',
    query: z.object({
      ...cursorPaging(),
      kinds: listParam().meta({
        description: 'Comma-separated list of `grant`, `notifications`, `calls`, `errors`; default: all',
      }),
    }),
    returns: TimelineEntry,
    list: 'cursor',
    errors: ['not_found', 'grant_not_found'],
  }),
  update: route({
    method: 'PATCH',
    path: `${application}/grants/:grant_id`,
    summary: 'Block or unblock a grant',
    description: 'Calls to a blocked grant fail with 423, and its changes are not watched. Its state and data stay.',
    audience: 'administrator',
    body: limitingObject({
      blocked: z.boolean().meta({ description: '`true` blocks the grant, `false` unblocks it' }),
    }).meta({ id: 'GrantBlockChange', description: 'Whether the grant is blocked' }),
    returns: Grant,
    errors: ['not_found', 'grant_not_found'],
  }),
  revoke: route({
    method: 'POST',
    path: `${application}/grants/:grant_id/revoke`,
    summary: 'Revoke a grant',
    description: 'The grant becomes invalid, keeps its data, stays billed, and can be authenticated again.',
    audience: 'administrator',
    returns: Grant,
    errors: ['not_found', 'grant_not_found'],
  }),
}
