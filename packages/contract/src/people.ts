/** People who administer the service: their rights and invitations. */
import { z } from 'zod'
import { ApiKey } from './administration.ts'
import { booleanParam, CreatedAt, choiceParam, cursorPaging, Id, line, Timestamp, UpdatedAt } from './fields.ts'
import { limitingObject } from './limiting.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'

export const Role = z.enum(['owner', 'administrator', 'viewer']).meta({
  id: 'Role',
  description:
    '`owner`: full access; `administrator`: full access except people and installation settings; `viewer`: read-only, without customer data and secrets',
})
export type Role = z.output<typeof Role>

export const ReachedApplications = z
  .union([
    z.literal('all').meta({ description: 'All applications, including future ones, and the service itself' }),
    z.array(Id).max(limits.personApplications).meta({ description: 'Ids of applications' }),
  ])
  .meta({
    id: 'ReachedApplications',
    description: `\`all\`, or the ids of up to ${limits.personApplications} applications; others are hidden from the person`,
  })
export type ReachedApplications = z.output<typeof ReachedApplications>

export const Rights = z
  .object({
    role: Role,
    applications: ReachedApplications,
    customer_data: z.boolean().meta({
      description: 'Whether mail, calendars, contacts and notification contents may be read',
    }),
  })
  .meta({ id: 'Rights', description: 'Rights of a user' })
export type Rights = z.output<typeof Rights>

export const PersonEmail = z
  .email()
  .max(320)
  .meta({ description: 'Address with which the person signs in, in lower case' })
export const PersonName = line(256).min(1).meta({ description: 'Name of the person, up to 256 characters' })

export const PersonSummary = z
  .object({ id: Id.meta({ description: 'Id of the person' }), name: PersonName, email: PersonEmail, role: Role })
  .meta({ id: 'PersonSummary', description: 'Identity of a person' })
export type PersonSummary = z.output<typeof PersonSummary>

const states = ['invited', 'active', 'blocked'] as const

export const Person = z
  .object({
    id: Id.meta({ description: 'Id of the person' }),
    email: PersonEmail,
    name: PersonName,
    role: Role,
    applications: ReachedApplications,
    state: z.enum(states).meta({
      description: '`invited`: cannot sign in yet; `active`: can sign in; `blocked`: must not sign in',
    }),
    has_password: z.boolean().meta({ description: 'Whether the person has a password' }),
    has_totp: z.boolean().meta({ description: 'Whether signing in requires a code from an authenticator app' }),
    has_oidc: z.boolean().meta({ description: 'Whether the person has signed in with OpenID Connect' }),
    recovery_codes_left: z.int().meta({ description: 'Number of unused recovery codes' }),
    invitation_expires_at: Timestamp.nullable().meta({
      description: 'Expiry time of the invitation link in Unix seconds; null if there is none',
    }),
    signed_in_at: Timestamp.nullable().meta({
      description: 'Time of the last sign-in in Unix seconds; null if never',
    }),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  })
  .meta({ id: 'Person', description: 'A person who administers the service' })
export type Person = z.output<typeof Person>

export const InvitedPerson = Person.extend({
  invitation_link: z.string().meta({
    description: 'One-time link with which the person chooses a password. Returned only once',
  }),
}).meta({ id: 'InvitedPerson', description: 'A person with a new invitation link' })
export type InvitedPerson = z.output<typeof InvitedPerson>

export const PersonDraft = limitingObject({
  email: PersonEmail,
  name: PersonName.optional().meta({
    description: 'Name, which the person can change. Default: the address.',
  }),
  role: Role,
  applications: ReachedApplications.default('all').meta({
    description: '`all` (default), or ids of applications. Always `all` for owners.',
  }),
}).meta({ id: 'PersonDraft', description: 'A person to invite' })
export type PersonDraft = z.output<typeof PersonDraft>

const revokeWords = '`true` revokes the valid API keys that the person created. Default: they stay valid.'

export const PersonKeys = z
  .object({
    api_keys: z.array(ApiKey).meta({
      description: 'API keys that the person created and that were valid until now, in all applications',
    }),
    api_keys_revoked: z.boolean().meta({ description: 'Whether they were revoked; otherwise they stay valid' }),
  })
  .meta({ id: 'PersonKeys', description: 'API keys that a person created, and whether they were revoked' })
export type PersonKeys = z.output<typeof PersonKeys>

export const ChangedPerson = Person.extend(PersonKeys.shape).meta({
  id: 'ChangedPerson',
  description: 'A changed person, with the API keys that they created',
})
export type ChangedPerson = z.output<typeof ChangedPerson>

export const PersonChange = limitingObject({
  name: PersonName.optional(),
  role: Role.optional(),
  applications: ReachedApplications.optional(),
  blocked: z.boolean().optional().meta({ description: '`true` ends every session and blocks sign-in' }),
  revoke_api_keys: z.boolean().optional().meta({ description: revokeWords }),
}).meta({ id: 'PersonChange', description: 'Changes to a person. Absent fields stay unchanged' })
export type PersonChange = z.output<typeof PersonChange>

const person = '/v3/admin/people/:person_id'
const invitation = `The link works once, for ${limits.invitationDays} days. It is returned only in this response, and no mail is sent.`

export const people = {
  list: route({
    method: 'GET',
    path: '/v3/admin/people',
    summary: 'List the people who administer the service',
    description: 'Sorted by address. Owners only.',
    audience: 'administrator',
    query: z.object({
      ...cursorPaging(),
      search: line(256).min(1).optional().meta({ description: 'Only people whose address or name contains this text' }),
      role: choiceParam(['owner', 'administrator', 'viewer']).meta({ description: 'Only people with this role' }),
      state: choiceParam(states).meta({ description: 'Only people in this state' }),
    }),
    returns: Person,
    list: 'cursor',
  }),
  create: route({
    method: 'POST',
    path: '/v3/admin/people',
    summary: 'Invite a person',
    description: `${invitation} Owners only.`,
    audience: 'administrator',
    body: PersonDraft,
    returns: InvitedPerson,
    status: 201,
    errors: ['conflict'],
  }),
  get: route({
    method: 'GET',
    path: person,
    summary: 'Get one person',
    description: 'Owners only.',
    audience: 'administrator',
    returns: Person,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PATCH',
    path: person,
    summary: 'Change or block a person',
    description:
      'Changes role, applications or name from the next request on, on every node. The last active owner can neither be blocked nor lose the role. API keys that the person created stay valid: the response lists them, and `revoke_api_keys` revokes them. Owners only.',
    audience: 'administrator',
    body: PersonChange,
    returns: ChangedPerson,
    errors: ['not_found', 'conflict'],
  }),
  delete: route({
    method: 'DELETE',
    path: person,
    summary: 'Remove a person',
    description:
      'Ends their sessions immediately. Their actions stay in the audit log under their name. The last active owner cannot be removed. API keys that the person created stay valid: the response lists them, and `revoke_api_keys` revokes them. Owners only.',
    audience: 'administrator',
    query: z.object({ revoke_api_keys: booleanParam().meta({ description: revokeWords }) }),
    returns: PersonKeys,
    errors: ['not_found', 'conflict'],
  }),
  keys: route({
    method: 'GET',
    path: `${person}/api-keys`,
    summary: 'List the valid API keys that a person created',
    description:
      'Returns keys of all applications, oldest first, without pages. Works for removed people too. Owners only.',
    audience: 'administrator',
    returns: ApiKey,
    list: 'whole',
    errors: ['not_found'],
  }),
  revokeKeys: route({
    method: 'DELETE',
    path: `${person}/api-keys`,
    summary: 'Revoke the API keys that a person created',
    description:
      'Revokes all valid keys in all applications, immediately and on every node. Works for removed people too. The response lists them. Owners only.',
    audience: 'administrator',
    returns: PersonKeys,
    errors: ['not_found'],
  }),
  invite: route({
    method: 'POST',
    path: `${person}/invitation`,
    summary: 'Create a new link for a person',
    description: `For people who lost their invitation link or password: the recipient chooses a new password. ${invitation} Earlier links stop working. Owners only.`,
    audience: 'administrator',
    returns: InvitedPerson,
    status: 201,
    errors: ['not_found', 'conflict'],
  }),
  removeTotp: route({
    method: 'DELETE',
    path: `${person}/totp`,
    summary: 'Remove the second factor of a person',
    description:
      'For people who lost their authenticator app and recovery codes. Ends their sessions. If the role requires a second factor, the person must set up a new one at the next sign-in, and you cannot remove your own. Owners only.',
    audience: 'administrator',
    errors: ['not_found', 'conflict'],
  }),
}
