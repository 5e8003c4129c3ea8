/** What administrators see of grants, and do with them. */
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
import { ExpiryReason } from './overview.ts'
import { route } from './route.ts'

export const AdminGrant = Grant.extend({
  last_used_at: Timestamp.nullable().meta({
    description: 'When it was last used through the API, in Unix seconds; null where it never was',
  }),
}).meta({ id: 'AdminGrant', description: 'A grant as the administrator sees it' })
export type AdminGrant = z.output<typeof AdminGrant>

export const GrantActivity = z
  .object({
    last_used_at: Timestamp.nullable().meta({
      description: 'When it was last used through the API, in Unix seconds; null where it never was',
    }),
    watch: z
      .object({
        state: z.enum(['watching', 'resting', 'starting', 'off', 'unsupported']).meta({
          description:
            '`watching`: changes are found and told; `resting`: the last attempt failed; `starting`: the first has not ended; `off`: the grant is invalid, blocked, or not to be watched; `unsupported`: the provider tells of no changes',
        }),
        node_id: Id.nullable().meta({ description: 'Id of the node that looks for its changes; null where none does' }),
        synced_at: Timestamp.nullable().meta({
          description:
            'When all changes were last fetched, in Unix seconds; noted every half an hour where there are none',
        }),
        failures: z.int().meta({ description: 'How many attempts failed in a row' }),
        next_try_at: Timestamp.nullable().meta({
          description: 'When a watch that rests is tried again, in Unix seconds; null otherwise',
        }),
      })
      .meta({ description: 'Whether, by whom and how well its changes are looked for' }),
    errors: z
      .array(
        z.object({
          at: Timestamp.meta({ description: 'When it happened, in Unix seconds' }),
          operation: z.string().meta({ description: 'Id of the route, or `changes` for looking for changes' }),
          type: z.string().meta({ description: 'Type of the error, as the API answers with it' }),
          message: z.string().meta({ description: 'What went wrong, in words' }),
          request_id: Id.nullable().meta({ description: 'Id of the request that failed; null where there was none' }),
        }),
      )
      .meta({ description: 'The last 20 errors of its account, its provider or the service, the newest first' }),
    operations: z.array(z.string()).meta({
      description:
        'Ids of the routes below `/v3/grants/{grant_id}` that its account can do, such as `messages.list`: its provider has them, and the grant was given the scopes',
    }),
  })
  .meta({ id: 'GrantActivity', description: 'What happens with a grant, for who looks after it' })
export type GrantActivity = z.output<typeof GrantActivity>

export const TimelineEntry = z
  .object({
    id: z.string().meta({ description: 'Id of the entry' }),
    at: Timestamp.meta({
      description: 'When it happened, in Unix seconds; of calls the beginning of their hour',
    }),
    kind: z
      .enum([
        ...(['created', 'authenticated', 'changed', 'expired', 'blocked', 'unblocked'] as const),
        ...(['notification', 'calls', 'error', 'refusal'] as const),
      ])
      .meta({
        description:
          '`created` to `unblocked`: what happened with the grant (`changed`: other credentials or scopes); `notification`: a change was told; `calls`: calls of one route in an hour; `error`: its account, its provider or the service failed; `refusal`: a call was answered with 4xx',
      }),
    reason: ExpiryReason.nullable().meta({ description: 'Of `expired`: why; null where that is not known' }),
    message: z.string().nullable().meta({
      description: 'Of `expired`, `error` and `refusal`: what was said, in words; else null',
    }),
    operation: z.string().nullable().meta({
      description:
        'Of `calls`, `error` and `refusal`: id of the route, or `changes` for looking for changes; else null',
    }),
    type: z.string().nullable().meta({
      description:
        'Of `error` and `refusal`: type of the error; of `notification`: its type, such as `message.created`; else null',
    }),
    notification_id: Id.nullable().meta({ description: 'Of `notification`: its id; else null' }),
    request_id: Id.nullable().meta({
      description: 'Request that it came of, of `calls` the last one; null where there was none',
    }),
    calls: z
      .object({
        requests: z.int().meta({ description: 'How many there were' }),
        refused: z.int().meta({ description: 'Those that were answered with 4xx' }),
        errors: z.int().meta({ description: 'Those that were answered with 5xx' }),
        mean_ms: z.int().meta({ description: 'Milliseconds that an answer took on average' }),
        last_at: Timestamp.meta({ description: 'When the last one was, in Unix seconds' }),
      })
      .nullable()
      .meta({ description: 'Of `calls`: the sums; else null' }),
  })
  .meta({ id: 'TimelineEntry', description: 'Something that happened with a grant' })
export type TimelineEntry = z.output<typeof TimelineEntry>

export const GrantCompletion = z
  .object({
    code: line(512)
      .min(1)
      .meta({ description: 'Code that the hosted sign-in ended with: good once and for ten minutes' }),
    redirect_uri: z.string().min(1).max(2048).meta({ description: 'Redirect URI that the code was asked for with' }),
    code_verifier: line(128).min(1).optional().meta({
      description: 'PKCE verifier, where the code was asked for with a `code_challenge`',
    }),
  })
  .meta({ id: 'GrantCompletion', description: 'The end of a hosted sign-in that the administrator began' })
export type GrantCompletion = z.output<typeof GrantCompletion>

const application = '/v3/admin/applications/:application_id'

/** Which grants are meant: of a list, a count, an export. */
const grantFilters = {
  search: line(256).min(1).optional().meta({
    description: 'With this text in the address, the name or the id',
  }),
  grant_status: choiceParam(['valid', 'invalid']).meta({ description: 'In this state alone' }),
  provider: textParam().meta({ description: 'Of this kind of account' }),
  blocked: booleanParam().meta({ description: '`true`: blocked ones alone; `false`: those that are not' }),
  created_since: timeParam().meta({ description: 'Created at this time or later, in Unix seconds' }),
  created_before: timeParam().meta({ description: 'Created before this time, in Unix seconds' }),
  last_used_since: timeParam().meta({ description: 'Last used at this time or later, in Unix seconds' }),
  last_used_before: timeParam().meta({ description: 'Not used since this time, or never, in Unix seconds' }),
}

export const Count = z
  .object({
    count: z.int().meta({ description: 'How many there are, or at least' }),
    more: z.boolean().meta({ description: '`true`: counting ended before all were counted, and there may be more' }),
  })
  .meta({ id: 'Count', description: 'How many objects a filter finds' })
export type Count = z.output<typeof Count>

export const adminGrants = {
  list: route({
    method: 'GET',
    path: `${application}/grants`,
    summary: 'Find grants of an application',
    description:
      'The newest first, unless `sort` says otherwise. What no index finds, such as a part of an address, is looked for in up to 20,000 grants a call: a page may then hold few or none and still have a `next_cursor`.',
    audience: 'administrator',
    query: z.object({
      ...cursorPaging(),
      ...grantFilters,
      sort: choiceParam(['created_at', 'last_used_at', 'email', 'grant_status']).meta({
        description:
          'What the order goes by; `created_at` when absent. Grants that were never used are the least recently used.',
      }),
      order: choiceParam(['asc', 'desc']).meta({
        description: '`desc` the newest or last first, which it is when absent; `asc` the other way round',
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
      'Those that the same filters list. Exact up to 10,000; above that, and where more than 100,000 grants had to be looked through, `more` is true.',
    audience: 'administrator',
    query: z.object(grantFilters),
    returns: Count,
    errors: ['not_found'],
  }),
  complete: route({
    method: 'POST',
    path: `${application}/grants/complete`,
    summary: 'Make the grant of a hosted sign-in, from the code that it ended with',
    description:
      'As `POST /v3/connect/token` does, in the name of the administrator and without tokens. `<base address>/dashboard/connected` may be the redirect URI of every application.',
    audience: 'administrator',
    body: GrantCompletion,
    returns: Grant,
    errors: ['not_found', 'invalid_grant', 'grant_limit_reached'],
  }),
  activity: route({
    method: 'GET',
    path: `${application}/grants/:grant_id/activity`,
    summary: 'Tell of the use of a grant, of the watch on it, and of its last errors',
    description: 'Written every few seconds: what happened just now may be missing.',
    audience: 'administrator',
    returns: GrantActivity,
    errors: ['not_found', 'grant_not_found'],
  }),
  timeline: route({
    method: 'GET',
    path: `${application}/grants/:grant_id/timeline`,
    summary: 'Tell what happened with a grant',
    description:
      'The newest first: what became of the grant, changes that were told, calls summed by the hour and route, and single errors and refusals, with the ids of requests. Nothing of what the account holds. What becomes of a grant is kept for 90 days (that it was made, always), calls for 7 days, the last 20 errors and 20 refusals, and notifications as long as the application keeps them, where it has a destination or a stream for them. Calls of administrators do not count. Written every few seconds: what happened just now may be missing.',
    audience: 'administrator',
    query: z.object({
      ...cursorPaging(),
      kinds: listParam().meta({
        description:
          'Only these: `grant`, `notifications`, `calls`, `errors`, with commas between them; all when absent',
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
    description:
      'Calls to a blocked grant are answered with 423, and its changes are not looked for. Its state and its data stay.',
    audience: 'administrator',
    body: z
      .object({ blocked: z.boolean().meta({ description: '`true` blocks it, `false` opens it again' }) })
      .meta({ id: 'GrantBlockChange', description: 'Whether the grant may be used' }),
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
