/** What every person who administers the service does with their own account. */
import { z } from 'zod'
import { line } from './fields.ts'
import { limits } from './limits.ts'
import { Person, PersonName } from './people.ts'
import { route } from './route.ts'

export const NewPassword = z
  .string()
  .min(limits.passwordLengthMin)
  .max(limits.passwordLength)
  .meta({
    description: `New password, at least ${limits.passwordLengthMin} characters; those that are tried first are refused`,
  })

export const SecondFactorCode = line(64).min(1).meta({
  description: 'Six digits of the authenticator app, or a recovery code; each is good once',
})

const CurrentPassword = z
  .string()
  .min(1)
  .max(limits.passwordLength)
  .meta({ description: 'Password of the person, as it is now' })

export const PasswordProof = z
  .object({ current_password: CurrentPassword })
  .meta({ id: 'PasswordProof', description: 'What shows that it is the person who asks' })

export const TotpEnrolment = z
  .object({
    secret: z.string().meta({ description: 'Secret in base32, to be typed where no picture can be read' }),
    uri: z.string().meta({ description: 'The same as `otpauth://` address, for a QR code' }),
  })
  .meta({ id: 'TotpEnrolment', description: 'What an authenticator app is given' })
export type TotpEnrolment = z.output<typeof TotpEnrolment>

export const RecoveryCodes = z
  .object({
    recovery_codes: z.array(z.string()).meta({ description: 'Codes for when the app is lost: each is good once' }),
  })
  .meta({ id: 'RecoveryCodes', description: 'Recovery codes, told here and never again' })
export type RecoveryCodes = z.output<typeof RecoveryCodes>

/** The password of the installation has no account: nothing of this is found for it. */
export const account = {
  get: route({
    method: 'GET',
    path: '/v3/admin/account',
    summary: 'Get your own account',
    description: 'Not found where no person is signed in, but the password of the installation or a one-time link.',
    audience: 'administrator',
    returns: Person,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PATCH',
    path: '/v3/admin/account',
    summary: 'Change your own name',
    description: 'The address and the role are changed by owners.',
    audience: 'administrator',
    body: z
      .object({ name: PersonName })
      .meta({ id: 'AccountChange', description: 'What a person changes of themselves' }),
    returns: Person,
    errors: ['not_found'],
  }),
  beginTotp: route({
    method: 'POST',
    path: '/v3/admin/account/totp',
    summary: 'Begin to set up a second factor',
    description:
      'Gives the secret for an authenticator app (RFC 6238: SHA-1, 6 digits, 30 seconds). It counts once a code of it was confirmed; until then, the one before does.',
    audience: 'administrator',
    body: PasswordProof,
    returns: TotpEnrolment,
    errors: ['not_found', 'conflict'],
  }),
  confirmTotp: route({
    method: 'POST',
    path: '/v3/admin/account/totp/confirm',
    summary: 'Confirm the second factor with its first code',
    description: 'From now on the password needs a code. Ends your other sessions, and the recovery codes before.',
    audience: 'administrator',
    body: z
      .object({ code: SecondFactorCode })
      .meta({ id: 'TotpConfirmation', description: 'A code of the app that was given the secret' }),
    returns: RecoveryCodes,
    errors: ['not_found', 'conflict'],
  }),
  removeTotp: route({
    method: 'POST',
    path: '/v3/admin/account/totp/remove',
    summary: 'Remove your second factor',
    description: 'With its recovery codes. Ends your other sessions. Refused while owners require one of your role.',
    audience: 'administrator',
    body: PasswordProof,
    errors: ['not_found', 'conflict'],
  }),
  renewRecoveryCodes: route({
    method: 'POST',
    path: '/v3/admin/account/recovery-codes',
    summary: 'Make new recovery codes',
    description: 'Those before end.',
    audience: 'administrator',
    body: PasswordProof,
    returns: RecoveryCodes,
    errors: ['not_found', 'conflict'],
  }),
}
