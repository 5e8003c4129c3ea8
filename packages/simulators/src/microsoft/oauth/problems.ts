// Problems that prevent a user from getting a token, set by tests.
import { AadError } from './errors.ts'

export type SignInProblem =
  | 'mfaRequired'
  | 'disabled'
  | 'passwordExpired'
  | 'passwordChanged'
  | 'expired'
  | 'blockedByPolicy'
  | 'consentRequired'

export interface SignInProblems {
  set(oid: string, problem: SignInProblem | undefined): void
  find(oid: string): SignInProblem | undefined
  /** Called after a new sign-in, which ends most problems. */
  solve(oid: string): void
}

/** A new sign-in does not end these problems. */
const lasting: readonly SignInProblem[] = ['disabled', 'blockedByPolicy']

export function createSignInProblems(): SignInProblems {
  const problems = new Map<string, SignInProblem>()
  return {
    set(oid, problem) {
      if (problem === undefined) problems.delete(oid)
      else problems.set(oid, problem)
    },
    find: (oid) => problems.get(oid),
    solve(oid) {
      const problem = problems.get(oid)
      if (problem !== undefined && !lasting.includes(problem)) problems.delete(oid)
    },
  }
}

/** The token endpoint's error for a problem. */
export function problemError(problem: SignInProblem, clientId: string): AadError {
  const grant = (number: number, message: string, suberror?: string) =>
    new AadError('invalid_grant', number, message, suberror === undefined ? {} : { suberror })
  switch (problem) {
    case 'mfaRequired':
      return grant(
        50076,
        "Due to a configuration change made by your administrator, or because you moved to a new location, you must use multi-factor authentication to access '00000003-0000-0000-c000-000000000000'.",
        'basic_action',
      )
    case 'disabled':
      return grant(50057, 'The user account is disabled.')
    case 'passwordExpired':
      return grant(50055, 'The password is expired.', 'user_password_expired')
    case 'passwordChanged':
      return grant(
        50173,
        'The provided grant has expired due to it being revoked, a fresh auth token is needed. The user might have changed or reset their password.',
        'bad_token',
      )
    case 'expired':
      return grant(
        700082,
        'The refresh token has expired due to inactivity. The token was issued on 2026-01-01T00:00:00.0000000Z and was inactive for 90.00:00:00.',
        'token_expired',
      )
    case 'blockedByPolicy':
      return grant(
        53003,
        'Access has been blocked by Conditional Access policies. The access policy does not allow token issuance.',
        'message_only',
      )
    case 'consentRequired':
      return consentRequired(clientId)
  }
}

export function consentRequired(clientId: string): AadError {
  return new AadError(
    'invalid_grant',
    65001,
    `The user or administrator has not consented to use the application with ID '${clientId}'. Send an interactive authorization request for this user and resource.`,
    { suberror: 'consent_required' },
  )
}
