/**
 * Explains the error numbers of the identity platform, and says who can fix the problem. A number is at the beginning
 * of the description (`AADSTS65001`) and in `error_codes`.
 * (https://learn.microsoft.com/entra/identity-platform/reference-error-codes)
 */
import type { Explanation } from '../shared/oauth-token.ts'

const signIn = (words: string): Explanation => ({ words, needsSignIn: true })
const setUp = (words: string): Explanation => ({ words })

const again = 'the end user must sign in again'
const consent = signIn(
  `consent is missing for what the application asks for, or was taken back: ${again} and give it, or an administrator of the organization gives it for all`,
)
const approval = signIn(
  'the organization lets its users connect this application only after an administrator approved it: ask the administrator to, and sign in again',
)
const factor = signIn(`the organization asks for a second factor: ${again} and give it`)
const enrolment = signIn(`the organization asks for a second factor that is not set up yet: ${again} and set it up`)
const expired = signIn(`the connection has expired, because it was not used or the organization ends it: ${again}`)
const revoked = signIn(`access was taken back, or the password was changed: ${again}`)
const secret = setUp('the client_secret of the connector is not the value of a secret of this client')
const assertion = setUp('the certificate of the credential is not one of this client, or its assertion was not taken')

/** By number. */
const meanings: Readonly<Record<number, Explanation>> = {
  50011: setUp('the redirect URI of the service is not registered at the client, letter for letter'),
  50020: signIn('the account is not one of the organization that the connector is for: sign in with another account'),
  50034: signIn('the organization that the connector is for has no such account: sign in with another account'),
  50053: signIn('the account is locked after too many attempts: wait, and sign in again'),
  50055: signIn(`the password of the account has expired: change it, and ${again}`),
  50057: signIn('the account is disabled: its administrator must enable it'),
  50058: signIn(`nobody is signed in: ${again}`),
  50059: setUp('the connector must name its tenant: the id of the directory, or one of its domains'),
  50072: enrolment,
  50074: factor,
  50076: factor,
  50078: factor,
  50079: enrolment,
  50105: signIn(
    'the organization lets only chosen users use this application: an administrator must add the user to it',
  ),
  50126: signIn(`the name or the password of the account is wrong: ${again}`),
  50128: setUp('the tenant of the connector does not exist'),
  50132: revoked,
  50133: revoked,
  50158: signIn(`the organization asks for another step at the sign-in: ${again}`),
  50173: revoked,
  50194: setUp('the client is one of a single organization: set the tenant of the connector to its id'),
  53000: signIn('the organization asks for a device that it manages: sign in from one'),
  53001: signIn('the organization asks for a device that is joined to it: sign in from one'),
  53003: signIn('a policy of the organization does not let this application in: ask its administrator'),
  54005: setUp('the code was used before: begin the sign-in again'),
  65001: consent,
  65004: signIn('the end user did not give consent'),
  65005: setUp('the client is not set up for what the connector asks for: add the permissions at its registration'),
  70000: signIn(`the grant was not taken: it has expired, was taken back, or is one of another client; ${again}`),
  70008: expired,
  70011: setUp('a scope that was asked for does not exist, or cannot be had in this tenant'),
  70043: expired,
  70044: expired,
  90002: setUp('the tenant of the connector does not exist'),
  90008: approval,
  90094: approval,
  90095: signIn('an administrator was asked to approve the application: sign in again once that is done'),
  90099: approval,
  650053: setUp('a scope that was asked for does not exist, or cannot be had in this tenant'),
  500011: setUp('the organization has not taken in what the connector asks for'),
  501481: setUp('the code verifier is not the one of the challenge: begin the sign-in again'),
  700003: signIn(`the device of the account is not known any more: ${again}`),
  700016: setUp(
    'the tenant does not know the client_id of the connector: an administrator must give consent there first',
  ),
  700027: assertion,
  700030: assertion,
  700054: setUp('the registration of the client does not allow this kind of sign-in'),
  700081: expired,
  700082: expired,
  700084: expired,
  7000112: setUp('the client is disabled at Microsoft'),
  7000215: secret,
  7000216: secret,
  7000218: secret,
  7000222: setUp('the client_secret of the connector has expired: make another at the registration, and set it'),
  9002313: setUp('the request was malformed: begin the sign-in again'),
}

/** Values of `suberror` that need the user, for errors without a known number (MSAL's classification). */
const interactive = new Set([
  'basic_action',
  'additional_action',
  'message_only',
  'consent_required',
  'user_password_expired',
])

/** The numbers in an error. */
function numbersIn({
  error_codes: codes,
  error_description: description,
}: Readonly<Record<string, unknown>>): number[] {
  const listed = Array.isArray(codes) ? codes.filter((code): code is number => typeof code === 'number') : []
  const written = /\bAADSTS(\d{4,8})\b/.exec(typeof description === 'string' ? description : '')?.[1]
  return [...listed, ...(written === undefined ? [] : [Number(written)])]
}

/** Why Microsoft refused, and who can fix it; undefined if the error contains nothing known. */
export function explain(said: Readonly<Record<string, unknown>>): Explanation | undefined {
  const number = numbersIn(said).find((each) => Object.hasOwn(meanings, each))
  const known = number === undefined ? undefined : meanings[number]
  if (known) return { ...known, words: `Microsoft says that ${known.words} (AADSTS${number})` }
  const asksUser =
    said.error === 'interaction_required' || said.error === 'consent_required' || said.error === 'login_required'
  if (asksUser || interactive.has(String(said.suberror))) {
    return signIn(`Microsoft asks for something that only the end user can do: ${again}`)
  }
  return undefined
}
