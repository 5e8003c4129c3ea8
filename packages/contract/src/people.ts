/** Persons who administer the service: what they may do, and how they are invited. */
import { z } from 'zod'
import { ApiKey } from './administration.ts'
import { booleanParam, CreatedAt, choiceParam, cursorPaging, Id, line, Timestamp, UpdatedAt } from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'

export const Role = z.enum(['owner', 'administrator', 'viewer']).meta({
  id: 'Role',
  description:
    '`owner`: everything; `administrator`: everything but people and the settings of the installation; `viewer`: reads, but neither data of customers nor secrets',
})
export type Role = z.output<typeof Role>

export const ReachedApplications = z
  .union([
    z
      .literal('all')
      .meta({ description: 'Every application, also those to come, and what concerns the whole service' }),
    z.array(Id).max(limits.personApplications).meta({ description: 'Ids of applications' }),
  ])
  .meta({
    id: 'ReachedApplications',
    description: `\`all\`, or the ids of up to ${limits.personApplications} applications: others do not exist for the person`,
  })
export type ReachedApplications = z.output<typeof ReachedApplications>

export const Rights = z
  .object({
    role: Role,
    applications: ReachedApplications,
    customer_data: z.boolean().meta({
      description: 'Whether mail, calendars, contacts and what notifications hold may be seen',
    }),
  })
  .meta({ id: 'Rights', description: 'What somebody may do' })
export type Rights = z.output<typeof Rights>

export const PersonEmail = z
  .email()
  .max(320)
  .meta({ description: 'Address that the person signs in with, in lower case' })
export const PersonName = line(256).min(1).meta({ description: 'Name of the person, up to 256 characters' })

export const PersonSummary = z
  .object({ id: Id.meta({ description: 'Id of the person' }), name: PersonName, email: PersonEmail, role: Role })
  .meta({ id: 'PersonSummary', description: 'Who somebody is' })
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
      description: '`invited`: has no way to sign in yet; `active`: can sign in; `blocked`: may not',
    }),
    has_password: z.boolean().meta({ description: 'Whether the person has a password here' }),
    has_totp: z.boolean().meta({ description: 'Whether the password asks for a code of an authenticator app' }),
    has_oidc: z.boolean().meta({ description: 'Whether the person has signed in with OpenID Connect' }),
    recovery_codes_left: z.int().meta({ description: 'How many recovery codes are not used yet' }),
    invitation_expires_at: Timestamp.nullable().meta({
      description: 'Until when the link of the invitation is good, in Unix seconds; null where there is none',
    }),
    signed_in_at: Timestamp.nullable().meta({
      description: 'When the person last signed in, in Unix seconds; null where they never did',
    }),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  })
  .meta({ id: 'Person', description: 'A person who administers the service' })
export type Person = z.output<typeof Person>

export const InvitedPerson = Person.extend({
  invitation_link: z.string().meta({
    description: 'Link by which the person chooses a password, once: told here and never again',
  }),
}).meta({ id: 'InvitedPerson', description: 'A person with the link of a new invitation' })
export type InvitedPerson = z.output<typeof InvitedPerson>

export const PersonDraft = z
  .object({
    email: PersonEmail,
    name: PersonName.optional().meta({
      description: 'Name; the person may choose another one. The address when absent.',
    }),
    role: Role,
    applications: ReachedApplications.default('all').meta({
      description: '`all` (default), or ids of applications. Owners have `all`.',
    }),
  })
  .meta({ id: 'PersonDraft', description: 'A person to be invited' })
export type PersonDraft = z.output<typeof PersonDraft>

const revokeWords =
  '`true` revokes the API keys that the person created and that are still valid. They stay valid when absent.'

export const PersonKeys = z
  .object({
    api_keys: z.array(ApiKey).meta({
      description: 'API keys that the person created and that were valid until now, in any application',
    }),
    api_keys_revoked: z.boolean().meta({ description: 'Whether they were revoked now; otherwise they stay valid' }),
  })
  .meta({ id: 'PersonKeys', description: 'What becomes of the API keys that a person created' })
export type PersonKeys = z.output<typeof PersonKeys>

export const ChangedPerson = Person.extend(PersonKeys.shape).meta({
  id: 'ChangedPerson',
  description: 'A person after a change, with the API keys that they created',
})
export type ChangedPerson = z.output<typeof ChangedPerson>

export const PersonChange = z
  .object({
    name: PersonName.optional(),
    role: Role.optional(),
    applications: ReachedApplications.optional(),
    blocked: z.boolean().optional().meta({ description: '`true` ends every session and lets the person in no more' }),
    revoke_api_keys: z.boolean().optional().meta({ description: revokeWords }),
  })
  .meta({ id: 'PersonChange', description: 'What is to be changed of a person; what is absent stays' })
export type PersonChange = z.output<typeof PersonChange>

const person = '/v3/admin/people/:person_id'
const invitation = `The link is good once and for ${limits.invitationDays} days; the answer is the only place where it stands, and no mail is sent.`

export const people = {
  list: route({
    method: 'GET',
    path: '/v3/admin/people',
    summary: 'List the people who administer the service',
    description: 'By address. For owners.',
    audience: 'administrator',
    query: z.object({
      ...cursorPaging(),
      search: line(256).min(1).optional().meta({ description: 'With this text in the address or the name' }),
      role: choiceParam(['owner', 'administrator', 'viewer']).meta({ description: 'With this role alone' }),
      state: choiceParam(states).meta({ description: 'In this state alone' }),
    }),
    returns: Person,
    list: 'cursor',
  }),
  create: route({
    method: 'POST',
    path: '/v3/admin/people',
    summary: 'Invite a person',
    description: `${invitation} For owners.`,
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
    description: 'For owners.',
    audience: 'administrator',
    returns: Person,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PATCH',
    path: person,
    summary: 'Change the role, the applications or the name of a person, or block them',
    description:
      'Counts from the next request on, on every node. The last active owner can neither be blocked nor lose the role. API keys that the person created stay valid: the answer lists them, and `revoke_api_keys` revokes them. For owners.',
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
      'Ends their sessions at once. What they did stays in the audit, under their name. The last active owner cannot be removed. API keys that the person created stay valid: the answer lists them, and `revoke_api_keys` revokes them. For owners.',
    audience: 'administrator',
    query: z.object({ revoke_api_keys: booleanParam().meta({ description: revokeWords }) }),
    returns: PersonKeys,
    errors: ['not_found', 'conflict'],
  }),
  keys: route({
    method: 'GET',
    path: `${person}/api-keys`,
    summary: 'List the valid API keys that a person created',
    description: 'Whole, over all applications, the oldest first. Also of a person who was removed. For owners.',
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
      'All that are still valid, over all applications, at once and on every node. Also of a person who was removed. The answer lists them. For owners.',
    audience: 'administrator',
    returns: PersonKeys,
    errors: ['not_found'],
  }),
  invite: route({
    method: 'POST',
    path: `${person}/invitation`,
    summary: 'Make a new link for a person',
    description: `For who lost the link of the invitation, or the password: whoever opens it chooses a new one. ${invitation} The link before ends. For owners.`,
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
      'For a person who lost the authenticator app and the recovery codes. Ends their sessions. Where owners require a second factor of the role, the person sets up another one at the next sign-in; you cannot remove your own then. For owners.',
    audience: 'administrator',
    errors: ['not_found', 'conflict'],
  }),
}
