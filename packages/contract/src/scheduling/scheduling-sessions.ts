import { z } from 'zod'
import { Id, line } from '../fields.ts'
import { route } from '../route.ts'

export const SchedulingSessionDraft = z
  .object({
    configuration_id: Id.nullish().meta({ description: 'Id of the configuration. Either this or `slug` is required' }),
    slug: line(256).nullish().meta({ description: 'Slug of the configuration' }),
    time_to_live: z
      .int()
      .min(1)
      .max(30)
      .nullish()
      .meta({ description: 'Minutes that the session lasts, 1 to 30; default 5' }),
  })
  .meta({ id: 'SchedulingSessionDraft', description: 'A session for one guest' })
export type SchedulingSessionDraft = z.output<typeof SchedulingSessionDraft>

export const SchedulingSession = z
  .object({
    session_id: z
      .string()
      .meta({ description: 'The session: `Authorization: Bearer <session_id>` of the booking page' }),
    configuration_id: Id.meta({ description: 'Id of the configuration' }),
    expires_at: z.int().meta({ description: 'End in Unix seconds' }),
    created_at: z.int().meta({ description: 'Creation time in Unix seconds' }),
  })
  .meta({ id: 'SchedulingSession', description: 'Opens one configuration for a guest' })
export type SchedulingSession = z.output<typeof SchedulingSession>

const at = '/v3/scheduling/sessions'
const one = `${at}/:session_id` as const

export const schedulingSessions = {
  create: route({
    right: 'scheduling',
    audience: 'application',
    method: 'POST',
    path: at,
    summary: 'Create a scheduling session',
    description:
      'Lets a browser use one configuration for some minutes, also a private one. Call it from your server, and give the id to the booking page.',
    body: SchedulingSessionDraft,
    returns: SchedulingSession,
    errors: ['not_found'],
  }),
  get: route({
    right: 'scheduling',
    audience: 'application',
    method: 'GET',
    path: one,
    summary: 'Get a scheduling session',
    description: 'Returns it until it expires.',
    returns: SchedulingSession,
    errors: ['not_found'],
  }),
  delete: route({
    right: 'scheduling',
    audience: 'application',
    method: 'DELETE',
    path: one,
    summary: 'Delete a scheduling session',
    description: 'The session ends at once.',
    errors: ['not_found'],
  }),
}
