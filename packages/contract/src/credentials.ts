import { z } from 'zod'
import { CreatedAt, choiceParam, Id, line, offsetPaging, selectParam, UpdatedAt } from './fields.ts'
import { route } from './route.ts'

export const CredentialType = z.enum(['connector', 'serviceaccount', 'adminconsent']).meta({
  id: 'CredentialType',
  description:
    '`connector`: another OAuth client at the provider; `serviceaccount`: a Google account that acts for users of a domain; `adminconsent`: a Microsoft client approved by an administrator of an organization',
})
export type CredentialType = z.output<typeof CredentialType>

export const Credential = z
  .object({
    id: Id.meta({ description: 'Id of the credential: the `credential_id` of sign-ins and custom authentication' }),
    name: z.string().meta({ description: 'Name, unique among the credentials of the connector' }),
    credential_type: CredentialType.meta({ description: 'Type of the credential' }),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  })
  .meta({ id: 'Credential', description: 'An additional credential of a connector. Its secrets are never returned.' })
export type Credential = z.output<typeof Credential>

const Data = z.record(z.string(), z.unknown()).meta({
  description:
    "The secrets, by type. `connector`: `client_id` and `client_secret`; `serviceaccount`: `private_key_id`, `private_key` and `client_email`, as in Google's key file; `adminconsent`: `tenant`, `client_id` and `client_secret`, default: those of the connector. For Microsoft, `certificate` and `private_key` in PEM format can replace `client_secret`. Stored encrypted, never returned.",
})

/** Alternative to a client secret. */
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

/** Required data of each credential type. */
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

const name = line(256)
  .min(1)
  .meta({ description: 'Name, unique among the credentials of the connector, up to 256 characters' })

export const CredentialDraft = z
  .object({
    name,
    credential_type: CredentialType.meta({
      description: '`connector`, `serviceaccount` (Google) or `adminconsent` (Microsoft)',
    }),
    credential_data: Data,
  })
  .meta({ id: 'CredentialDraft', description: 'A new credential of a connector' })
export type CredentialDraft = z.output<typeof CredentialDraft>

export const CredentialChange = CredentialDraft.omit({ credential_type: true })
  .partial()
  .meta({ id: 'CredentialChange', description: 'Changes to a credential. Absent fields stay unchanged.' })
export type CredentialChange = z.output<typeof CredentialChange>

const at = '/v3/connectors/:provider/creds'

export const credentials = {
  list: route({
    right: 'administration',
    method: 'GET',
    path: at,
    summary: 'List the credentials of a connector',
    description: 'Newest first, unless `sort_by` and `order_by` are given. Secrets are omitted.',
    audience: 'application',
    query: z.object({
      ...offsetPaging(),
      sort_by: choiceParam(['created_at', 'updated_at'], { createdAt: 'created_at', updatedAt: 'updated_at' }).meta({
        description: 'Sort key: creation time (default) or time of the last change',
      }),
      order_by: choiceParam(['desc', 'asc']).meta({
        description: '`desc` (default): newest first; `asc`: oldest first',
      }),
      ...selectParam,
    }),
    returns: Credential,
    list: 'offset',
    errors: ['not_found'],
  }),
  create: route({
    right: 'administration',
    method: 'POST',
    path: at,
    summary: 'Add a credential to a connector',
    description:
      "If a credential with the same name and data exists, it is returned instead. The same name with different data fails with 409. The credential is used once a sign-in or grant names it, or once it becomes the connector's active credential.",
    audience: 'application',
    query: z.object(selectParam),
    body: CredentialDraft,
    returns: Credential,
    status: 201,
    errors: ['not_found', 'conflict'],
  }),
  get: route({
    right: 'administration',
    method: 'GET',
    path: `${at}/:id`,
    summary: 'Get one credential',
    description: 'Secrets are omitted.',
    audience: 'application',
    query: z.object(selectParam),
    returns: Credential,
    errors: ['not_found'],
  }),
  update: route({
    right: 'administration',
    method: 'PATCH',
    path: `${at}/:id`,
    summary: 'Change a credential',
    description:
      '`credential_data` is replaced as a whole. The type cannot change. Grants that use it continue with the new data if the provider accepts it.',
    audience: 'application',
    query: z.object(selectParam),
    body: CredentialChange,
    returns: Credential,
    errors: ['not_found', 'conflict'],
  }),
  delete: route({
    right: 'administration',
    method: 'DELETE',
    path: `${at}/:id`,
    summary: 'Delete a credential',
    description:
      "Fails for the connector's active credential; make another one active first. Grants that use it become invalid immediately.",
    audience: 'application',
    errors: ['not_found'],
  }),
}
