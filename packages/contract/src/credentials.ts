import { z } from 'zod'
import { CreatedAt, choiceParam, Id, line, offsetPaging, selectParam, UpdatedAt } from './fields.ts'
import { route } from './route.ts'

export const CredentialType = z.enum(['connector', 'serviceaccount', 'adminconsent']).meta({
  id: 'CredentialType',
  description:
    '`connector`: another client at the provider; `serviceaccount`: an account at Google that stands for users of a domain; `adminconsent`: a client at Microsoft that an administrator consented to for an organization',
})
export type CredentialType = z.output<typeof CredentialType>

export const Credential = z
  .object({
    id: Id.meta({ description: 'Id of the credential: the `credential_id` of sign-ins and custom authentication' }),
    name: z.string().meta({ description: 'Name, unique among the credentials of the connector' }),
    credential_type: CredentialType.meta({ description: 'What kind of credential it is' }),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  })
  .meta({ id: 'Credential', description: 'A further way in for a connector. What is secret in it is never answered.' })
export type Credential = z.output<typeof Credential>

const Data = z.record(z.string(), z.unknown()).meta({
  description:
    'The secrets, by type. `connector`: `client_id` and `client_secret`; `serviceaccount`: `private_key_id`, `private_key` and `client_email`, as in the key file of Google; `adminconsent`: `tenant`, `client_id` and `client_secret`, those of the connector when absent. At Microsoft `certificate` and `private_key`, in PEM form, may stand in place of `client_secret`. Kept sealed, never answered.',
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
  .meta({ id: 'CredentialDraft', description: 'A credential to be added to a connector' })
export type CredentialDraft = z.output<typeof CredentialDraft>

export const CredentialChange = z
  .object({ name: name.optional(), credential_data: Data.optional() })
  .meta({ id: 'CredentialChange', description: 'What is to change of a credential. What is left out stays.' })
export type CredentialChange = z.output<typeof CredentialChange>

const at = '/v3/connectors/:provider/creds'

export const credentials = {
  list: route({
    method: 'GET',
    path: at,
    summary: 'List the credentials of a connector',
    description: 'The newest first unless `sort_by` and `order_by` say otherwise. What is secret in them is left out.',
    audience: 'application',
    query: z.object({
      ...offsetPaging(),
      sort_by: choiceParam(['created_at', 'updated_at'], { createdAt: 'created_at', updatedAt: 'updated_at' }).meta({
        description: 'What the list is in the order of: when they were made (default) or last changed',
      }),
      order_by: choiceParam(['desc', 'asc']).meta({
        description: '`desc`: the newest first (default); `asc`: the oldest first',
      }),
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
    description:
      'One with the same name and the same data that exists already is answered instead of a new one; the name with other data is refused with 409. It is used once a sign-in or a grant names it, or it is made the active one of the connector.',
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
    description: 'What is secret in it is left out.',
    audience: 'application',
    query: z.object(selectParam),
    returns: Credential,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PATCH',
    path: `${at}/:id`,
    summary: 'Change a credential',
    description:
      '`credential_data` replaces all of it. The type stays. Grants that use it go on with the new data, where the provider takes it.',
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
    description:
      'Refused for the active credential of the connector: make another one active first. The grants that use it become invalid at once.',
    audience: 'application',
    errors: ['not_found'],
  }),
}
