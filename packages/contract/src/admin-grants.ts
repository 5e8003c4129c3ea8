/** What administrators see of grants, and do with them. */
import { z } from 'zod'
import { choiceParam, cursorPaging, Id, line, Timestamp, textParam } from './fields.ts'
import { Grant } from './grants.ts'
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
  })
  .meta({ id: 'GrantActivity', description: 'What happens with a grant, for who looks after it' })
export type GrantActivity = z.output<typeof GrantActivity>

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

export const adminGrants = {
  list: route({
    method: 'GET',
    path: `${application}/grants`,
    summary: 'Find grants of an application',
    description: 'The newest first.',
    audience: 'administrator',
    query: z.object({
      ...cursorPaging(),
      search: line(256).min(1).optional().meta({
        description: 'With this text in the address, the name or the id',
      }),
      grant_status: choiceParam(['valid', 'invalid']).meta({ description: 'In this state alone' }),
      provider: textParam().meta({ description: 'Of this kind of account' }),
    }),
    returns: AdminGrant,
    list: 'cursor',
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
