/** Sign-in to the dashboard, its sessions, and invitations. */
import { z } from 'zod'
import { NewPassword, SecondFactorCode } from './account.ts'
import { booleanParam, cursorPaging, Id, Timestamp, textParam } from './fields.ts'
import { limitingObject } from './limiting.ts'
import { limits } from './limits.ts'
import { PersonEmail, PersonName, PersonSummary, Rights, Role } from './people.ts'
import { route } from './route.ts'

const times = {
  signed_in_at: Timestamp.meta({ description: 'Start of the session in Unix seconds' }),
  expires_at: Timestamp.meta({ description: 'Latest end of the session in Unix seconds' }),
}
const SessionPerson = PersonSummary.nullable().meta({
  description: "The signed-in person; null for the installation's password and one-time links",
})

export const RequiredAction = z.enum(['change_password', 'set_up_second_factor']).meta({
  id: 'RequiredAction',
  description:
    '`change_password`: the password is the generated initial one; `set_up_second_factor`: the role requires one',
})
export type RequiredAction = z.output<typeof RequiredAction>

export const Session = z
  .object({
    id: Id.meta({ description: 'Id of the session' }),
    ...times,
    idle_expires_at: Timestamp.meta({
      description: 'Time when it ends without further requests, in Unix seconds',
    }),
    person: SessionPerson,
    rights: Rights.meta({ description: 'Current rights of the session' }),
    required_action: RequiredAction.nullable().meta({
      description: 'Action required before anything else; null if none',
    }),
  })
  .meta({ id: 'Session', description: 'A dashboard session of an administrator' })
export type Session = z.output<typeof Session>

export const SignInWay = z.enum(['password', 'link', 'invitation', 'oidc']).meta({
  id: 'SignInWay',
  description: 'How a session started: with a password, a one-time link, an invitation, or OpenID Connect',
})
export type SignInWay = z.output<typeof SignInWay>

export const ListedSession = z
  .object({
    id: Id.meta({ description: 'Id of the session' }),
    person: SessionPerson,
    way: SignInWay,
    address: z.string().nullable().meta({ description: 'IP address of the sign-in; null if unknown' }),
    user_agent: z.string().nullable().meta({
      description: 'User-Agent of the browser, up to 256 characters; null if it sent none',
    }),
    ...times,
    seen_at: Timestamp.meta({ description: 'Time of the last use in Unix seconds, accurate to 30 seconds' }),
    current: z.boolean().meta({ description: 'Whether it is the session of this request' }),
  })
  .meta({ id: 'ListedSession', description: 'An active session' })
export type ListedSession = z.output<typeof ListedSession>

export const SignIn = z
  .object({
    email: PersonEmail.optional().meta({
      description: "Address of the person; without it, `password` is the installation's password",
    }),
    password: z.string().min(1).max(limits.passwordLength).optional().meta({
      description: 'Password of the person or the installation, unless `link` is set',
    }),
    code: SecondFactorCode.optional().meta({
      description: 'Six digits from the authenticator app, or a recovery code, if the person has a second factor',
    }),
    link: z.string().min(1).max(200).optional().meta({
      description: 'The part after `#link=` of a one-time link, instead of the password',
    }),
  })
  .meta({ id: 'SignIn', description: 'Credentials for a sign-in: a password or a link' })
export type SignIn = z.output<typeof SignIn>

export const SignInWays = z
  .object({
    installation_password: z.boolean().meta({
      description: "Whether the installation's password can be used; people can always use their own",
    }),
    people: z.boolean().meta({
      description: 'Whether any person can sign in with an address and password',
    }),
    oidc: z
      .object({
        name: z.string().meta({ description: 'Display name of the provider' }),
        url: z.string().meta({ description: 'Path below the base URL that starts the sign-in' }),
      })
      .nullable()
      .meta({ description: 'Sign-in with OpenID Connect; null if it is not set up' }),
  })
  .meta({ id: 'SignInWays', description: 'Available ways to sign in to the dashboard' })
export type SignInWays = z.output<typeof SignInWays>

export const PasswordChange = limitingObject({
  current_password: z.string().min(1).max(limits.passwordLength).meta({ description: 'Current password' }),
  new_password: NewPassword,
}).meta({ id: 'PasswordChange', description: 'A new password' })
export type PasswordChange = z.output<typeof PasswordChange>

const cookie =
  'The session is a cookie that scripts cannot read. It is accepted only for JSON requests of the dashboard itself: `Sec-Fetch-Site: same-origin` or an `Origin` of this service.'

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
    summary: 'Sign in with a password or a one-time link',
    description: `${cookie} It ends after 30 minutes without a request, and after 12 hours at the latest. Without \`email\`, the password is the installation's. If the person has a second factor and \`code\` is missing, the request fails with \`second_factor_required\`.`,
    audience: 'public',
    body: SignIn,
    returns: Session,
    errors: [...publicErrors, 'administrator_required', 'second_factor_required', 'rate_limited'],
  }),
  ways: route({
    method: 'GET',
    path: '/v3/admin/session/ways',
    summary: 'Get the available ways to sign in',
    description: 'For the sign-in page. Reveals nothing about people.',
    audience: 'public',
    returns: SignInWays,
    errors: ['invalid_request', 'service_unavailable'],
  }),
  get: route({
    method: 'GET',
    path: '/v3/admin/session',
    summary: 'Get the current session',
    description: 'Returns "not found" if the request used a password instead of a session.',
    audience: 'administrator',
    returns: Session,
    errors: ['not_found'],
  }),
  delete: route({
    method: 'DELETE',
    path: '/v3/admin/session',
    summary: 'Sign out',
    description: 'Ends the session of this request. Other sessions stay.',
    audience: 'administrator',
  }),
  list: route({
    method: 'GET',
    path: '/v3/admin/sessions',
    summary: 'List active sessions',
    description:
      "Returns your own sessions, newest first; for the installation's password, those without a person. Owners see all sessions with `everybody`.",
    audience: 'administrator',
    query: z.object({
      ...cursorPaging(),
      everybody: booleanParam().meta({
        description: "`true`: sessions of all people and of the installation's password. Owners only.",
      }),
      person_id: textParam().meta({ description: 'Only sessions of this person. Owners only.' }),
    }),
    returns: ListedSession,
    list: 'cursor',
  }),
  end: route({
    method: 'DELETE',
    path: '/v3/admin/sessions/:session_id',
    summary: 'End a session',
    description: 'Ends one of your own sessions, or any session for owners, immediately and on every node.',
    audience: 'administrator',
    errors: ['not_found'],
  }),
  deleteAll: route({
    method: 'DELETE',
    path: '/v3/admin/sessions',
    summary: 'Sign out everywhere',
    description:
      "Ends every session of the person, including this one. Without a person: every session of the installation's password, and every one-time link. Owners can end those of one person with `person_id`, and all sessions, including their own, with `everybody`.",
    audience: 'administrator',
    query: z.object({
      everybody: booleanParam().meta({
        description:
          "`true`: sessions of all people and of the installation's password, and one-time links. Owners only.",
      }),
      person_id: textParam().meta({ description: 'Only sessions of this person. Owners only.' }),
    }),
    errors: ['not_found'],
  }),
  password: route({
    method: 'PUT',
    path: '/v3/admin/password',
    summary: 'Change your password',
    description:
      "Changes the password of the signed-in person and ends their other sessions. Without a person, it changes the installation's password and ends its other sessions and every one-time link; this is refused if the operator set WAYPOST_ADMIN_PASSWORD.",
    audience: 'administrator',
    body: PasswordChange,
    errors: ['conflict'],
  }),
}

const Token = z.string().min(1).max(200).meta({ description: 'The part after `#invitation=` of the link' })

export const Invitation = z
  .object({
    email: PersonEmail,
    name: PersonName,
    role: Role,
    needs_code: z.boolean().meta({
      description: 'Whether the person already has a second factor and needs a code to accept',
    }),
    expires_at: Timestamp.meta({ description: 'Expiry time of the link in Unix seconds' }),
  })
  .meta({ id: 'Invitation', description: 'Contents of an invitation' })
export type Invitation = z.output<typeof Invitation>

export const InvitationAcceptance = z
  .object({
    token: Token,
    name: PersonName.optional().meta({ description: 'Name of the person; default: the name in the invitation' }),
    password: NewPassword,
    code: SecondFactorCode.optional().meta({
      description: 'Six digits from the authenticator app, or a recovery code, if `needs_code` is true',
    }),
  })
  .meta({ id: 'InvitationAcceptance', description: 'Values chosen by an invited person' })
export type InvitationAcceptance = z.output<typeof InvitationAcceptance>

export const invitations = {
  // Uses POST, because URLs are logged.
  read: route({
    method: 'POST',
    path: '/v3/admin/invitation',
    summary: 'Read an invitation',
    description: 'Changes nothing. Returns "not found" if it was used, has expired, or does not exist.',
    audience: 'public',
    body: z.object({ token: Token }).meta({ id: 'InvitationToken', description: 'An invitation token' }),
    returns: Invitation,
    errors: [...publicErrors, 'not_found'],
  }),
  accept: route({
    method: 'POST',
    path: '/v3/admin/invitation/accept',
    summary: 'Accept an invitation',
    description: `Sets the password and signs in. ${cookie} The link stops working, and other sessions of the person end.`,
    audience: 'public',
    body: InvitationAcceptance,
    returns: Session,
    errors: [...publicErrors, 'not_found', 'second_factor_required', 'rate_limited'],
  }),
}
