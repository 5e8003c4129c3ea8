import { z } from 'zod'
import { booleanParam } from './fields.ts'
import { route } from './route.ts'

export const Detection = z
  .object({
    email_address: z.string().meta({ description: 'The requested address' }),
    detected: z.boolean().meta({ description: 'Whether a provider was found' }),
    provider: z.string().optional().meta({
      description:
        'Provider, such as `google`; `imap` if the domain uses another mail server. Absent if none was found.',
    }),
    type: z.string().optional().meta({
      description: 'Vendor of the mailbox, if the provider is `imap` and the vendor is well known',
    }),
  })
  .meta({ id: 'Detection', description: 'Provider of an address' })
export type Detection = z.output<typeof Detection>

export const providers = {
  detect: route({
    right: 'administration',
    method: 'POST',
    path: '/v3/providers/detect',
    summary: 'Find the provider of an email address',
    description: 'Checks the domain first, then its MX records. Up to 20 calls per minute and application.',
    audience: 'application',
    rate: 'detect',
    query: z.object({
      email: z
        .string()
        .max(320)
        .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, { error: 'must be an email address' })
        .meta({ description: 'Email address. Only its domain is checked, not the mailbox' }),
      all_provider_types: booleanParam().meta({
        description: '`false` (default): only providers for which the application has a connector; `true`: all',
      }),
    }),
    returns: Detection,
  }),
}
