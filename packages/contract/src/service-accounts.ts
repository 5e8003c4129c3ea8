/** Service accounts: programs that sign their requests to administration routes with an RSA key. */
import { z } from 'zod'
import { CreatedAt, Id, line, Timestamp, UpdatedAt } from './fields.ts'
import { limitingObject } from './limiting.ts'
import { limits } from './limits.ts'
import { ReachedApplications } from './people.ts'
import { route } from './route.ts'

export const ServiceAccountPermission = z
  .enum([
    'apikey.create',
    'apikey.get',
    'apikey.update',
    'apikey.delete',
    'application.create',
    'application.get',
    'application.update',
    'usage.get',
    'audit.get',
    'health.get',
  ])
  .meta({
    id: 'ServiceAccountPermission',
    description:
      '`apikey.…`: create, read, change and revoke API keys; `application.…`: create, read, and block or limit applications; `usage.get`: billed grants; `audit.get`: the audit log; `health.get`: the health of the service',
  })
export type ServiceAccountPermission = z.output<typeof ServiceAccountPermission>

const Permissions = z.array(ServiceAccountPermission).min(1).max(ServiceAccountPermission.options.length)
const Name = line(256).min(1).meta({ description: 'Name of the service account, shown in the audit log' })
const PublicKey = z.string().min(1).max(limits.publicKeyLength)

export const ServiceAccount = z
  .object({
    id: Id.meta({ description: 'Id of the service account, which is also the `private_key_id` of its key' }),
    name: Name,
    permissions: Permissions.meta({ description: 'What the service account may do' }),
    applications: ReachedApplications,
    status: z.enum(['active', 'blocked', 'expired']).meta({
      description: '`active`, or the reason why its signatures are refused',
    }),
    public_key: PublicKey.meta({ description: 'Public key in PEM format (SPKI)' }),
    expires_at: Timestamp.nullable().meta({ description: 'Expiry time in Unix seconds; null if it never expires' }),
    last_used_at: Timestamp.nullable().meta({
      description: 'Time of the last signed request in Unix seconds, accurate to a minute; null if never used',
    }),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  })
  .meta({ id: 'ServiceAccount', description: 'A program that signs requests to administration routes' })
export type ServiceAccount = z.output<typeof ServiceAccount>

export const ServiceAccountCredential = z
  .object({
    type: z.literal('service_account').meta({ description: 'Always `service_account`' }),
    name: Name,
    private_key_id: Id.meta({ description: 'Value of the header `X-Nylas-Kid`' }),
    private_key: z.string().meta({ description: 'RSA private key in PEM format (PKCS #8). It is not stored' }),
    organization_id: Id.meta({ description: 'Id of the installation' }),
    region: z.enum(['us', 'eu']).meta({ description: 'Region of the installation' }),
    permissions: Permissions.meta({ description: 'What the service account may do' }),
  })
  .meta({ id: 'ServiceAccountCredential', description: 'The credential file of a service account' })
export type ServiceAccountCredential = z.output<typeof ServiceAccountCredential>

export const NewServiceAccount = ServiceAccount.extend({
  credential: ServiceAccountCredential.nullable().meta({
    description: 'The credential file, returned only once; null if you registered a public key of your own',
  }),
}).meta({ id: 'NewServiceAccount', description: 'A newly created service account' })
export type NewServiceAccount = z.output<typeof NewServiceAccount>

export const ServiceAccountDraft = limitingObject({
  name: Name,
  permissions: Permissions.meta({ description: 'What the service account may do. Grant only what it needs.' }),
  applications: ReachedApplications.default('all').meta({
    description: '`all` (default), or ids of applications. Others look like missing ones to the service account.',
  }),
  expires_in: z.int().min(1).max(36_500).nullish().meta({
    description: 'Days until the service account expires; default: never',
  }),
  public_key: PublicKey.optional().meta({
    description:
      'Your own RSA public key in PEM format, with 2048 to 4096 bits and the exponent 65537. Default: the service makes a key pair and returns the private key once.',
  }),
}).meta({ id: 'ServiceAccountDraft', description: 'A new service account' })
export type ServiceAccountDraft = z.output<typeof ServiceAccountDraft>

export const ServiceAccountChange = limitingObject({
  name: Name.optional(),
  permissions: Permissions.optional().meta({ description: 'Replaces all permissions' }),
  applications: ReachedApplications.optional(),
  blocked: z.boolean().optional().meta({ description: '`true` refuses its signatures, `false` accepts them again' }),
}).meta({ id: 'ServiceAccountChange', description: 'Changes to a service account. Absent fields stay unchanged' })
export type ServiceAccountChange = z.output<typeof ServiceAccountChange>

const one = '/v3/admin/service-accounts/:service_account_id'

export const serviceAccounts = {
  list: route({
    method: 'GET',
    path: '/v3/admin/service-accounts',
    summary: 'List the service accounts',
    description: `Sorted by name, without pages: an installation has at most ${limits.serviceAccounts}. Owners only.`,
    audience: 'administrator',
    returns: ServiceAccount,
    list: 'whole',
  }),
  create: route({
    method: 'POST',
    path: '/v3/admin/service-accounts',
    summary: 'Create a service account',
    description:
      'The credential file with the private key is returned only in this response: the service stores only the public key. Owners only.',
    audience: 'administrator',
    body: ServiceAccountDraft,
    returns: NewServiceAccount,
    status: 201,
    errors: ['conflict'],
  }),
  get: route({
    method: 'GET',
    path: one,
    summary: 'Get one service account',
    description: 'Owners only.',
    audience: 'administrator',
    returns: ServiceAccount,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PATCH',
    path: one,
    summary: 'Change or block a service account',
    description:
      'Takes effect with the next request, on every node. To replace a key, create a second service account and remove the first one. Owners only.',
    audience: 'administrator',
    body: ServiceAccountChange,
    returns: ServiceAccount,
    errors: ['not_found'],
  }),
  delete: route({
    method: 'DELETE',
    path: one,
    summary: 'Remove a service account',
    description:
      'Its signatures are refused immediately, on every node. Its actions stay in the audit log under its name, and API keys that it created stay valid. Owners only.',
    audience: 'administrator',
    errors: ['not_found'],
  }),
}
