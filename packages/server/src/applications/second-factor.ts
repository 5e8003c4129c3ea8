/**
 * The second factor of a person: an authenticator app, whose secret is sealed in the store, and recovery codes, of which
 * the store has hashes. Every code is good once, on whichever node it is shown.
 */
import { randomBytes } from 'node:crypto'
import type { TotpEnrolment } from '@waypost/contract'
import { ApiError } from '../lib/api-error.ts'
import { newShortName } from '../lib/ids.ts'
import type { SealContext, Secrets } from '../lib/secrets.ts'
import type { Queries } from '../store/database.ts'
import type { PersonRow } from '../store/people.ts'
import {
  clearTotp,
  confirmTotp,
  takeCodeTry,
  takeTotpStep,
  useRecoveryCode,
  writePendingTotp,
  writeRecoveryCodes,
} from '../store/second-factors.ts'
import { hashKey } from './api-keys.ts'
import { base32, stepOfCode, totpSecretBytes, totpUri } from './totp.ts'

/** Wrong codes in an hour, over all nodes: whoever guesses them knows the password already. */
export const codeTries = 10
const triesMs = 3_600_000
const recoveryCodes = 10
/** Characters of a recovery code: 79 bits, which nobody guesses. */
const recoveryLength = 16

const contextOf = (id: string, column: 'sealed_totp' | 'sealed_pending_totp'): SealContext => ({
  table: 'people',
  column,
  application: id,
  row: id,
})

/** How a secret is sealed: what is sealed is text. */
const textOf = (bytes: Buffer): string => bytes.toString('base64')
const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64')

/** Makes a secret that counts once it is confirmed. */
export async function beginTotp(
  tx: Queries,
  secrets: Secrets,
  { id, email }: Pick<PersonRow, 'id' | 'email'>,
  issuer: string,
): Promise<TotpEnrolment> {
  const bytes = randomBytes(totpSecretBytes)
  await writePendingTotp(tx, id, secrets.seal(textOf(bytes), contextOf(id, 'sealed_pending_totp')))
  const secret = base32(bytes)
  return { secret, uri: totpUri(secret, { issuer, account: email }) }
}

/** Confirms the secret that was begun, and answers recovery codes; undefined where the code is wrong. */
export async function finishTotp(
  tx: Queries,
  secrets: Secrets,
  row: PersonRow,
  { code, now }: { code: string; now: number },
): Promise<string[] | undefined> {
  const pending = row.sealed_pending_totp
  if (pending === null)
    throw new ApiError('conflict', 'no second factor was begun: begin with POST /v3/admin/account/totp')
  const secret = bytesOf(secrets.open(pending, contextOf(row.id, 'sealed_pending_totp')))
  const step = stepOfCode(secret, plainCode(code), { now, after: 0 })
  if (step === undefined) return undefined
  const sealed = secrets.seal(textOf(secret), contextOf(row.id, 'sealed_totp'))
  if (!(await confirmTotp(tx, row.id, { pending, sealed, step, now }))) {
    throw new ApiError('conflict', 'the second factor was begun anew in the meantime')
  }
  return renewRecoveryCodes(tx, row.id)
}

/** Removes the second factor, with its recovery codes. */
export async function removeTotp(tx: Queries, id: string, now: number): Promise<void> {
  await clearTotp(tx, id, now)
  await writeRecoveryCodes(tx, id, [])
}

/** Makes new recovery codes, and ends those before. */
export async function renewRecoveryCodes(tx: Queries, id: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, () => newShortName(recoveryLength))
  await writeRecoveryCodes(tx, id, codes.map(hashKey))
  return codes.map((code) => code.replaceAll(/(.{4})(?=.)/g, '$1-'))
}

/** As people type them: with blanks and dashes, in capitals. */
const plainCode = (code: string): string => code.toLowerCase().replaceAll(/[\s-]/g, '')

export type CodeOutcome = 'right' | 'wrong' | 'too many'

/** Tries a code of the app, or a recovery code, and uses it up. */
export async function tryCode(
  queries: Queries,
  secrets: Secrets,
  row: PersonRow,
  { code, now }: { code: string; now: number },
): Promise<CodeOutcome> {
  const plain = plainCode(code)
  // Not counted, so that who guesses codes of the app stops nobody with a recovery code.
  if (plain.length === recoveryLength)
    return (await useRecoveryCode(queries, row.id, hashKey(plain))) ? 'right' : 'wrong'
  const sealed = row.sealed_totp
  if (sealed === null) return 'wrong'
  if (!(await takeCodeTry(queries, row.id, { most: codeTries, now, since: now - triesMs }))) return 'too many'
  const secret = bytesOf(secrets.open(sealed, contextOf(row.id, 'sealed_totp')))
  const step = stepOfCode(secret, plain, { now, after: row.totp_step })
  return step !== undefined && (await takeTotpStep(queries, row.id, { step, sealed })) ? 'right' : 'wrong'
}
