/** How a guest names a booking page in the query. A session names it too, and then none of these is needed. */
import { z } from 'zod'
import { line } from '../fields.ts'

export const pageParams = {
  configuration_id: line(64).min(1).optional().meta({
    description: 'Id of a public configuration. Not needed with a session',
  }),
  slug: line(256).min(1).optional().meta({ description: 'Slug of a public configuration, together with `client_id`' }),
  client_id: line(64).min(1).optional().meta({ description: 'Id of the application. Not needed with an API key' }),
}
export const PageParams = z.object(pageParams)
export type PageParams = z.output<typeof PageParams>
