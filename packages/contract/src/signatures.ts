import { z } from 'zod'
import { CreatedAt, cursorPaging, GrantId, Id, line, selectParam, UpdatedAt } from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'

export const Signature = z
  .object({
    id: Id.meta({ description: 'Id of the signature: the `signature_id` of messages and drafts' }),
    grant_id: GrantId,
    object: z.literal('signature').meta({ description: 'Object type: always `signature`' }),
    name: z.string().meta({ description: 'Name for your own use; recipients do not see it' }),
    body: z.string().meta({ description: 'Sanitized HTML' }),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  })
  .meta({
    id: 'Signature',
    description:
      "A text for the end of messages, stored by the service. It is independent of the signature in the provider's mail program.",
  })
export type Signature = z.output<typeof Signature>

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** HTML with a maximum size. */
export const htmlText = (max: number) =>
  z.string().refine((text) => text.length <= max && bytesOf(text) <= max, {
    error: `must not be larger than ${max} bytes`,
  })

const body = htmlText(limits.signatureBytes).min(1).meta({
  description:
    'HTML of up to 100 KB. Scripts, style elements, frames, forms, event handlers and images without an http or https URL are removed',
})

const name = line(256)
  .min(1)
  .meta({ description: 'Name for your own use, up to 256 characters; recipients do not see it' })

export const SignatureDraft = z
  .object({ name, body })
  .meta({ id: 'SignatureDraft', description: 'A new signature of a grant' })
export type SignatureDraft = z.output<typeof SignatureDraft>
export const SignatureChange = SignatureDraft.partial().meta({
  id: 'SignatureChange',
  description: 'Changes to a signature. Absent fields stay unchanged.',
})
export type SignatureChange = z.output<typeof SignatureChange>

const at = '/v3/grants/:grant_id/signatures'
const own = { audience: 'grant', own: true, returns: Signature } as const

export const signatures = {
  list: route({
    right: 'mail.read',
    ...own,
    method: 'GET',
    path: at,
    summary: 'List the signatures of a grant',
    description: 'Oldest first.',
    query: z.object({ ...cursorPaging(), ...selectParam }),
    list: 'cursor',
  }),
  create: route({
    right: 'administration',
    ...own,
    method: 'POST',
    path: at,
    summary: 'Create a signature',
    description: `Up to ${limits.signatures} per grant. A signature is used when a message names it; there is no default.`,
    body: SignatureDraft,
    status: 201,
  }),
  get: route({
    right: 'mail.read',
    ...own,
    method: 'GET',
    path: `${at}/:signature_id`,
    summary: 'Get one signature',
    description: 'Returns it as used in messages.',
    query: z.object(selectParam),
    errors: ['not_found'],
  }),
  update: route({
    right: 'administration',
    ...own,
    method: 'PUT',
    path: `${at}/:signature_id`,
    summary: 'Change a signature',
    description: 'Sent messages, and drafts that already contain it, do not change.',
    query: z.object(selectParam),
    body: SignatureChange,
    errors: ['not_found'],
  }),
  delete: route({
    right: 'administration',
    method: 'DELETE',
    path: `${at}/:signature_id`,
    summary: 'Delete a signature',
    description: 'Messages and drafts that already contain it do not change. Deleting a grant deletes its signatures.',
    audience: 'grant',
    own: true,
    errors: ['not_found'],
  }),
}
