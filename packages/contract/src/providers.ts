import { z } from 'zod'
import { booleanParam } from './fields.ts'
import { route } from './route.ts'

export const Detection = z
  .object({
    email_address: z.string().meta({ description: 'The address that was asked for' }),
    detected: z.boolean().meta({ description: 'Whether a provider was found' }),
    provider: z.string().optional().meta({
      description:
        'Kind of the account, such as `google`; `imap` where the domain takes mail at a server of another kind. Absent where none was found.',
    }),
    type: z.string().optional().meta({
      description: 'Vendor of the mailbox, where the provider is `imap` and the vendor is a well-known one',
    }),
  })
  .meta({ id: 'Detection', description: 'Which provider stands behind an address' })
export type Detection = z.output<typeof Detection>

export const providers = {
  detect: route({
    method: 'POST',
    path: '/v3/providers/detect',
    summary: 'Find the provider of an e-mail address',
    description:
      'By the domain first, then by where its mail goes (MX records). Up to 20 calls a minute for an application.',
    audience: 'application',
    rate: 'detect',
    query: z.object({
      email: z
        .string()
        .max(320)
        .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, { error: 'must be an e-mail address' })
        .meta({ description: 'E-mail address; its domain is looked at, the mailbox is not asked for' }),
      all_provider_types: booleanParam().meta({
        description: '`false` (default): only providers that the application has a connector for; `true`: all',
      }),
    }),
    returns: Detection,
  }),
}
