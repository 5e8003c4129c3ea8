/** Routes for administrators' own accounts. */
import { z } from 'zod'
import { line } from './fields.ts'
import { limitingObject } from './limiting.ts'
import { limits } from './limits.ts'
import { Person, PersonName } from './people.ts'
import { route } from './route.ts'

export const NewPassword = z
  .string()
  .min(limits.passwordLengthMin)
  .max(limits.passwordLength)
  .meta({
    description: `New password, at least ${limits.passwordLengthMin} characters. Common passwords are refused`,
  })

export const SecondFactorCode = line(64).min(1).meta({
  description: 'Six digits from the authenticator app, or a recovery code. Each code works once',
})

const CurrentPassword = z
  .string()
  .min(1)
  .max(limits.passwordLength)
  .meta({ description: 'Current password of the person' })

export const PasswordProof = limitingObject({ current_password: CurrentPassword }).meta({
  id: 'PasswordProof',
  description: 'Proof that the request comes from the person',
})

export const TotpEnrolment = z
  .object({
    secret: z.string().meta({ description: 'Secret in base32, for typing it instead of scanning the QR code' }),
    uri: z.string().meta({ description: 'The secret as an `otpauth://` URI, for a QR code' }),
  })
  .meta({ id: 'TotpEnrolment', description: 'Data for an authenticator app' })
export type TotpEnrolment = z.output<typeof TotpEnrolment>

export const RecoveryCodes = z
  .object({
    recovery_codes: z.array(z.string()).meta({ description: 'Codes to use if the app is lost. Each works once' }),
  })
  .meta({ id: 'RecoveryCodes', description: 'Recovery codes, returned only once' })
export type RecoveryCodes = z.output<typeof RecoveryCodes>

/** The installation's password has no account, so these routes return "not found" for it. */
export const account = {
  get: route({
    method: 'GET',
    path: '/v3/admin/account',
    summary: 'Get your own account',
    description: 'Returns "not found" if you signed in with the installation\'s password or a one-time link.',
    audience: 'administrator',
    returns: Person,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PATCH',
    path: '/v3/admin/account',
    summary: 'Change your own name',
    description: 'Only owners can change the address and the role.',
    audience: 'administrator',
    body: limitingObject({ name: PersonName }).meta({
      id: 'AccountChange',
      description: 'Changes to your own account',
    }),
    returns: Person,
    errors: ['not_found'],
  }),
  beginTotp: route({
    method: 'POST',
    path: '/v3/admin/account/totp',
    summary: 'Start setting up a second factor',
    description:
      'Returns the secret for an authenticator app (RFC 6238: SHA-1, 6 digits, 30 seconds). It takes effect once you confirm a code. Until then, the previous secret stays in effect.',
    audience: 'administrator',
    body: PasswordProof,
    returns: TotpEnrolment,
    errors: ['not_found', 'conflict'],
  }),
  confirmTotp: route({
    method: 'POST',
    path: '/v3/admin/account/totp/confirm',
    summary: 'Confirm the second factor with its first code',
    description:
      'From now on, signing in requires a code. Ends your other sessions and invalidates previous recovery codes.',
    audience: 'administrator',
    body: limitingObject({ code: SecondFactorCode }).meta({
      id: 'TotpConfirmation',
      description: 'A code from the app that has the secret',
    }),
    returns: RecoveryCodes,
    errors: ['not_found', 'conflict'],
  }),
  removeTotp: route({
    method: 'POST',
    path: '/v3/admin/account/totp/remove',
    summary: 'Remove your second factor',
    description:
      'Also removes the recovery codes. Ends your other sessions. Refused while a second factor is required for your role.',
    audience: 'administrator',
    body: PasswordProof,
    errors: ['not_found', 'conflict'],
  }),
  renewRecoveryCodes: route({
    method: 'POST',
    path: '/v3/admin/account/recovery-codes',
    summary: 'Create new recovery codes',
    description: 'Previous recovery codes stop working.',
    audience: 'administrator',
    body: PasswordProof,
    returns: RecoveryCodes,
    errors: ['not_found', 'conflict'],
  }),
}
