import { z } from 'zod'
import { Id, line } from '../fields.ts'

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
