/** Signing in to the dashboard, the sessions that begin with it, and how an invited person comes in first. */
import { z } from 'zod'
import { NewPassword, SecondFactorCode } from './account.ts'
import { booleanParam, cursorPaging, Id, Timestamp, textParam } from './fields.ts'
import { limits } from './limits.ts'
import { PersonEmail, PersonName, PersonSummary, Rights, Role } from './people.ts'
import { route } from './route.ts'

const times = {
  signed_in_at: Timestamp.meta({ description: 'When the session began, in Unix seconds' }),
  expires_at: Timestamp.meta({ description: 'When it ends whatever happens, in Unix seconds' }),
}
const SessionPerson = PersonSummary.nullable().meta({
  description: 'Who is signed in; null for the password of the installation, and for a one-time link',
})

export const RequiredAction = z.enum(['change_password', 'set_up_second_factor']).meta({
  id: 'RequiredAction',
  description:
    '`change_password`: the password is the first one, which the service made up; `set_up_second_factor`: owners require one of this role',
})
export type RequiredAction = z.output<typeof RequiredAction>

export const Session = z
  .object({
    id: Id.meta({ description: 'Id of the session' }),
    ...times,
    idle_expires_at: Timestamp.meta({
      description: 'When it ends if nothing is asked for until then, in Unix seconds',
    }),
    person: SessionPerson,
    rights: Rights.meta({ description: 'What may be done in it, as of now' }),
    required_action: RequiredAction.nullable().meta({
      description: 'What must be done before anything else is allowed; null where nothing must',
    }),
  })
  .meta({ id: 'Session', description: 'A session of an administrator in the dashboard' })
export type Session = z.output<typeof Session>

export const SignInWay = z.enum(['password', 'link', 'invitation', 'oidc']).meta({
  id: 'SignInWay',
  description: 'What a session began with: a password, a one-time link, an invitation, or OpenID Connect',
})
export type SignInWay = z.output<typeof SignInWay>

export const ListedSession = z
  .object({
    id: Id.meta({ description: 'Id of the session' }),
    person: SessionPerson,
    way: SignInWay,
    address: z
      .string()
      .nullable()
      .meta({ description: 'Network address that it was begun from; null where not known' }),
    user_agent: z.string().nullable().meta({
      description: 'What the browser said that it is, up to 256 characters; null where it said nothing',
    }),
    ...times,
    seen_at: Timestamp.meta({ description: 'When it was last used, to within half a minute, in Unix seconds' }),
    current: z.boolean().meta({ description: 'Whether it is the one that the request belongs to' }),
  })
  .meta({ id: 'ListedSession', description: 'A session that goes on' })
export type ListedSession = z.output<typeof ListedSession>

export const SignIn = z
  .object({
    email: PersonEmail.optional().meta({
      description: 'Address of the person whose `password` it is; without one it is that of the installation',
    }),
    password: z.string().min(1).max(limits.passwordLength).optional().meta({
      description: 'Password of the person, or of the installation, unless there is a `link`',
    }),
    code: SecondFactorCode.optional().meta({
      description: 'Six digits of the authenticator app, or a recovery code, where the person has a second factor',
    }),
    link: z.string().min(1).max(200).optional().meta({
      description: 'What stands behind `#link=` of a one-time link, in place of the password',
    }),
  })
  .meta({ id: 'SignIn', description: 'What is shown to sign in: a password or a link' })
export type SignIn = z.output<typeof SignIn>

export const SignInWays = z
  .object({
    installation_password: z.boolean().meta({
      description: 'Whether the password of the installation signs in; people always can with their own',
    }),
    people: z.boolean().meta({
      description: 'Whether there is anybody who signs in with an address and a password of their own',
    }),
    oidc: z
      .object({
        name: z.string().meta({ description: 'What the provider is called' }),
        url: z.string().meta({ description: 'Path below the base address that begins the sign-in' }),
      })
      .nullable()
      .meta({ description: 'Sign-in with OpenID Connect; null where it is not set up' }),
  })
  .meta({ id: 'SignInWays', description: 'How one may sign in to the dashboard' })
export type SignInWays = z.output<typeof SignInWays>

export const PasswordChange = z
  .object({
    current_password: z.string().min(1).max(limits.passwordLength).meta({ description: 'Password as it is now' }),
    new_password: NewPassword,
  })
  .meta({ id: 'PasswordChange', description: 'Another password' })
export type PasswordChange = z.output<typeof PasswordChange>

const cookie =
  'The session is a cookie that scripts cannot read. It counts only for requests of the dashboard itself: `Sec-Fetch-Site: same-origin` or an `Origin` of this service, and JSON.'

const publicErrors = [
  'invalid_request',
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
  'cross_site_request',
  'service_unavailable',
] as const

export const session = {
  create: route({
    method: 'POST',
    path: '/v3/admin/session',
    summary: 'Sign in, with a password or a one-time link',
    description: `${cookie} It ends after 30 minutes without a request, and after 12 hours in any case. Without \`email\` the password is that of the installation. Where the person has a second factor and \`code\` is missing, the answer is \`second_factor_required\`.`,
    audience: 'public',
    body: SignIn,
    returns: Session,
    errors: [...publicErrors, 'administrator_required', 'second_factor_required', 'rate_limited'],
  }),
  ways: route({
    method: 'GET',
    path: '/v3/admin/session/ways',
    summary: 'Tell how one may sign in',
    description: 'For the page of the sign-in. Tells nothing of who there is.',
    audience: 'public',
    returns: SignInWays,
    errors: ['invalid_request', 'service_unavailable'],
  }),
  get: route({
    method: 'GET',
    path: '/v3/admin/session',
    summary: 'Tell of the session that the request belongs to',
    description: 'Not found where a password came with the request instead of a session.',
    audience: 'administrator',
    returns: Session,
    errors: ['not_found'],
  }),
  delete: route({
    method: 'DELETE',
    path: '/v3/admin/session',
    summary: 'Sign out',
    description: 'Ends the session that the request belongs to. Others go on.',
    audience: 'administrator',
  }),
  list: route({
    method: 'GET',
    path: '/v3/admin/sessions',
    summary: 'List sessions that go on',
    description:
      'Your own, the newest first; for the password of the installation those without a person. Owners see those of all with `everybody`.',
    audience: 'administrator',
    query: z.object({
      ...cursorPaging(),
      everybody: booleanParam().meta({ description: '`true`: of all people, and of none. For owners.' }),
      person_id: textParam().meta({ description: 'Of this person alone. For owners.' }),
    }),
    returns: ListedSession,
    list: 'cursor',
  }),
  end: route({
    method: 'DELETE',
    path: '/v3/admin/sessions/:session_id',
    summary: 'End a session',
    description: "One of your own, or anybody's for owners, at once and on every node.",
    audience: 'administrator',
    errors: ['not_found'],
  }),
  deleteAll: route({
    method: 'DELETE',
    path: '/v3/admin/sessions',
    summary: 'Sign out everywhere',
    description:
      'Ends every session of the person, this one too. Without a person: every session that has none, and every one-time link. Owners end those of one person with `person_id`, and those of all people with `everybody`, their own too.',
    audience: 'administrator',
    query: z.object({
      everybody: booleanParam().meta({
        description:
          '`true`: the sessions of all people, those of the installation’s password, and one-time links. For owners.',
      }),
      person_id: textParam().meta({ description: 'The sessions of this person alone. For owners.' }),
    }),
    errors: ['not_found'],
  }),
  password: route({
    method: 'PUT',
    path: '/v3/admin/password',
    summary: 'Change your password',
    description:
      'Of the person who asks, whose other sessions end; without a person that of the installation, and every other session that has none and every one-time link end. The latter not where the operator set it with WAYPOST_ADMIN_PASSWORD.',
    audience: 'administrator',
    body: PasswordChange,
    errors: ['conflict'],
  }),
}

const Token = z.string().min(1).max(200).meta({ description: 'What stands behind `#invitation=` of the link' })

export const Invitation = z
  .object({
    email: PersonEmail,
    name: PersonName,
    role: Role,
    needs_code: z.boolean().meta({
      description: 'Whether the person has a second factor already, of which a code is needed to accept',
    }),
    expires_at: Timestamp.meta({ description: 'Until when the link is good, in Unix seconds' }),
  })
  .meta({ id: 'Invitation', description: 'What the link of an invitation is for' })
export type Invitation = z.output<typeof Invitation>

export const InvitationAcceptance = z
  .object({
    token: Token,
    name: PersonName.optional().meta({ description: 'Name of the person; what the invitation says when absent' }),
    password: NewPassword,
    code: SecondFactorCode.optional().meta({
      description: 'Six digits of the authenticator app, or a recovery code, where `needs_code` says so',
    }),
  })
  .meta({ id: 'InvitationAcceptance', description: 'What an invited person chooses' })
export type InvitationAcceptance = z.output<typeof InvitationAcceptance>

export const invitations = {
  // By POST: what stands in an address gets into logs.
  read: route({
    method: 'POST',
    path: '/v3/admin/invitation',
    summary: 'Tell what an invitation is for',
    description: 'Changes nothing. Not found where it was used, has expired, or never was.',
    audience: 'public',
    body: z.object({ token: Token }).meta({ id: 'InvitationToken', description: 'An invitation' }),
    returns: Invitation,
    errors: [...publicErrors, 'not_found'],
  }),
  accept: route({
    method: 'POST',
    path: '/v3/admin/invitation/accept',
    summary: 'Accept an invitation: choose a password, and sign in',
    description: `${cookie} The link is used up, and other sessions of the person end.`,
    audience: 'public',
    body: InvitationAcceptance,
    returns: Session,
    errors: [...publicErrors, 'not_found', 'second_factor_required', 'rate_limited'],
  }),
}
