import { z } from 'zod'
import { CreatedAt, cursorPaging, GrantId, Id, line, selectParam, UpdatedAt } from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'

export const Signature = z
  .object({
    id: Id.meta({ description: 'Id of the signature: the `signature_id` of messages and drafts' }),
    grant_id: GrantId,
    object: z.literal('signature').meta({ description: 'What the object is: always `signature`' }),
    name: z.string().meta({ description: 'Name for those who choose it; recipients do not see it' }),
    body: z.string().meta({ description: 'HTML, with what is not safe taken out' }),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  })
  .meta({
    id: 'Signature',
    description:
      "A text for the end of messages, kept by the service. It is not the signature of the provider's own mail program.",
  })
export type Signature = z.output<typeof Signature>

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** HTML of limited size. */
export const htmlText = (most: number) =>
  z.string().refine((text) => text.length <= most && bytesOf(text) <= most, {
    error: `must not be larger than ${most} bytes`,
  })

const body = htmlText(limits.signatureBytes).min(1).meta({
  description:
    'HTML of up to 100 KB. Scripts, styles in elements, frames, forms, event handlers and images that are not at an http or https address are taken out',
})

const name = line(256)
  .min(1)
  .meta({ description: 'Name for those who choose it, up to 256 characters; recipients do not see it' })

export const SignatureDraft = z
  .object({ name, body })
  .meta({ id: 'SignatureDraft', description: 'A signature to be kept for a grant' })
export type SignatureDraft = z.output<typeof SignatureDraft>
export const SignatureChange = SignatureDraft.partial().meta({
  id: 'SignatureChange',
  description: 'What is to change of a signature. What is left out stays.',
})
export type SignatureChange = z.output<typeof SignatureChange>

const at = '/v3/grants/:grant_id/signatures'
const own = { audience: 'grant', own: true, returns: Signature } as const

export const signatures = {
  list: route({
    ...own,
    method: 'GET',
    path: at,
    summary: 'List the signatures of a grant',
    description: 'The oldest first.',
    query: z.object({ ...cursorPaging(), ...selectParam }),
    list: 'cursor',
  }),
  create: route({
    ...own,
    method: 'POST',
    path: at,
    summary: 'Create a signature',
    description: `Up to ${limits.signatures} for each grant. It is used where a message names it; there is no default.`,
    body: SignatureDraft,
    status: 201,
  }),
  get: route({
    ...own,
    method: 'GET',
    path: `${at}/:signature_id`,
    summary: 'Get one signature',
    description: 'As it is put into messages.',
    query: z.object(selectParam),
    errors: ['not_found'],
  }),
  update: route({
    ...own,
    method: 'PUT',
    path: `${at}/:signature_id`,
    summary: 'Change a signature',
    description: 'Messages that were sent, and drafts that have it in their text already, stay as they are.',
    query: z.object(selectParam),
    body: SignatureChange,
    errors: ['not_found'],
  }),
  delete: route({
    method: 'DELETE',
    path: `${at}/:signature_id`,
    summary: 'Delete a signature',
    description: 'Messages and drafts that have it in their text stay as they are. Those of a grant go with the grant.',
    audience: 'grant',
    own: true,
    errors: ['not_found'],
  }),
}
