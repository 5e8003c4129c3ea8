import { z } from 'zod'
import { choiceParam, Id, line, offsetPaging, selectParam, Timestamp } from './fields.ts'
import { route } from './route.ts'

export const CredentialType = z.enum(['connector', 'serviceaccount', 'adminconsent']).meta({ id: 'CredentialType' })
export type CredentialType = z.output<typeof CredentialType>

export const Credential = z
  .object({
    id: Id,
    name: z.string(),
    credential_type: CredentialType,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Credential' })
export type Credential = z.output<typeof Credential>

const Data = z.record(z.string(), z.unknown()).meta({
  description:
    'connector: client_id, client_secret; serviceaccount: private_key_id, private_key, client_email; adminconsent: tenant, client_id, client_secret. At Microsoft certificate and private_key, in PEM form, may stand in place of client_secret. Kept sealed, never answered.',
})

/** What a client may show in place of a secret. */
const certificate = { certificate: z.string().min(1).optional(), private_key: z.string().min(1).optional() }
interface ClientProof {
  client_secret?: string | undefined
  certificate?: string | undefined
  private_key?: string | undefined
}

function needWholeCertificate(data: ClientProof, context: z.RefinementCtx): void {
  if ((data.certificate === undefined) === (data.private_key === undefined)) return
  const missing = data.certificate === undefined ? 'certificate' : 'private_key'
  context.addIssue({ code: 'custom', path: [missing], message: 'is required: a certificate and its private_key' })
}

function needSecret(data: ClientProof, context: z.RefinementCtx): void {
  needWholeCertificate(data, context)
  if (data.client_secret !== undefined || data.certificate !== undefined) return
  context.addIssue({ code: 'custom', path: ['client_secret'], message: 'is required' })
}

/** What each type of credential must hold. */
export const credentialData = {
  connector: z
    .looseObject({ client_id: z.string().min(1), client_secret: z.string().min(1).optional(), ...certificate })
    .superRefine(needSecret),
  serviceaccount: z.looseObject({
    private_key_id: z.string().min(1),
    private_key: z.string().min(1),
    client_email: z.string().min(1),
  }),
  adminconsent: z
    .looseObject({
      tenant: z.string().min(1).optional(),
      client_id: z.string().min(1).optional(),
      client_secret: z.string().min(1).optional(),
      ...certificate,
    })
    .superRefine(needWholeCertificate),
} as const satisfies Record<CredentialType, z.ZodObject>

export const CredentialDraft = z
  .object({ name: line(256).min(1), credential_type: CredentialType, credential_data: Data })
  .meta({ id: 'CredentialDraft' })
export type CredentialDraft = z.output<typeof CredentialDraft>

export const CredentialChange = z
  .object({ name: line(256).min(1).optional(), credential_data: Data.optional() })
  .meta({ id: 'CredentialChange' })
export type CredentialChange = z.output<typeof CredentialChange>

const at = '/v3/connectors/:provider/creds'

export const credentials = {
  list: route({
    method: 'GET',
    path: at,
    summary: 'List the credentials of a connector',
    audience: 'application',
    query: z.object({
      ...offsetPaging(),
      sort_by: choiceParam(['created_at', 'updated_at'], { createdAt: 'created_at', updatedAt: 'updated_at' }),
      order_by: choiceParam(['desc', 'asc']),
      ...selectParam,
    }),
    returns: Credential,
    list: 'offset',
    errors: ['not_found'],
  }),
  create: route({
    method: 'POST',
    path: at,
    summary: 'Add a credential to a connector',
    description: 'An identical credential that exists already is answered instead of a new one.',
    audience: 'application',
    query: z.object(selectParam),
    body: CredentialDraft,
    returns: Credential,
    status: 201,
    errors: ['not_found', 'conflict'],
  }),
  get: route({
    method: 'GET',
    path: `${at}/:id`,
    summary: 'Get one credential',
    audience: 'application',
    query: z.object(selectParam),
    returns: Credential,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PATCH',
    path: `${at}/:id`,
    summary: 'Change a credential',
    audience: 'application',
    query: z.object(selectParam),
    body: CredentialChange,
    returns: Credential,
    errors: ['not_found', 'conflict'],
  }),
  delete: route({
    method: 'DELETE',
    path: `${at}/:id`,
    summary: 'Delete a credential',
    description: 'Refused for the active credential of the connector. Its grants stop working at once.',
    audience: 'application',
    errors: ['not_found'],
  }),
}
