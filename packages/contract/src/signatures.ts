import { z } from 'zod'
import { cursorPaging, Id, line, selectParam, Timestamp } from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'

export const Signature = z
  .object({
    id: Id,
    grant_id: Id,
    object: z.literal('signature'),
    name: z.string(),
    body: z.string().meta({ description: 'HTML, made safe' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Signature' })
export type Signature = z.output<typeof Signature>

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** HTML of limited size. */
export const htmlText = (most: number) =>
  z.string().refine((text) => text.length <= most && bytesOf(text) <= most, {
    error: `must not be larger than ${most} bytes`,
  })

const body = htmlText(limits.signatureBytes).min(1).meta({
  description:
    'HTML up to 100 KB. Scripts, styles in elements, frames, forms, event handlers and images that are not at an http or https address are taken out',
})

export const SignatureDraft = z.object({ name: line(256).min(1), body }).meta({ id: 'SignatureDraft' })
export type SignatureDraft = z.output<typeof SignatureDraft>
export const SignatureChange = SignatureDraft.partial().meta({ id: 'SignatureChange' })
export type SignatureChange = z.output<typeof SignatureChange>

const at = '/v3/grants/:grant_id/signatures'
const own = { audience: 'grant', own: true, returns: Signature } as const

export const signatures = {
  list: route({
    ...own,
    method: 'GET',
    path: at,
    summary: 'List the signatures of a grant',
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
    query: z.object(selectParam),
    errors: ['not_found'],
  }),
  update: route({
    ...own,
    method: 'PUT',
    path: `${at}/:signature_id`,
    summary: 'Change a signature',
    query: z.object(selectParam),
    body: SignatureChange,
    errors: ['not_found'],
  }),
  delete: route({
    method: 'DELETE',
    path: `${at}/:signature_id`,
    summary: 'Delete a signature',
    audience: 'grant',
    own: true,
    errors: ['not_found'],
  }),
}
