import { z } from 'zod'
import { booleanParam } from './fields.ts'
import { route } from './route.ts'

export const Detection = z
  .object({
    email_address: z.string(),
    detected: z.boolean(),
    provider: z.string().optional(),
    type: z.string().optional().meta({ description: 'The IMAP vendor, where provider is imap and it is a known one' }),
  })
  .meta({ id: 'Detection' })
export type Detection = z.output<typeof Detection>

export const providers = {
  detect: route({
    method: 'POST',
    path: '/v3/providers/detect',
    summary: 'Find the provider of an e-mail address',
    description: 'By the domain first, then by its MX records.',
    audience: 'application',
    rate: 'detect',
    query: z.object({
      email: z
        .string()
        .max(320)
        .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, { error: 'must be an e-mail address' }),
      all_provider_types: booleanParam().meta({
        description: 'false (default): only providers that have a connector; true: all',
      }),
    }),
    returns: Detection,
  }),
}
