/**
 * A person's second factor: an authenticator app, whose secret is sealed in the store, and recovery codes, stored as
 * salted argon2id hashes. Every code is valid once, across all nodes.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { TotpEnrolment } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { toBase32 } from '@waypost/platform/crypto/base32'
import type { SealContext, Secrets } from '@waypost/platform/crypto/secrets'
import { newShortName } from '@waypost/platform/ids'
import type { Database, Queries } from '@waypost/store/engine/database'
import type { PersonRow } from '@waypost/store/tables/applications/people'
import {
  addRecoveryCode,
  clearTotp,
  confirmTotp,
  listRecoveryCodes,
  takeCodeTry,
  takeTotpStep,
  useRecoveryCode,
  writePendingTotp,
  writeRecoveryCodes,
} from '@waypost/store/tables/applications/second-factors'
import { hashKey } from './api-keys.ts'
import type { PasswordHashing } from './password-hashing.ts'

/** Allowed wrong codes per hour over all nodes. An attacker who gets this far already knows the password. */
const codeTries = 10
const triesMs = 3_600_000
const recoveryCodes = 10
/** Characters of a recovery code: 79 bits. */
const recoveryLength = 16

const contextOf = (id: string, column: 'sealed_totp' | 'sealed_pending_totp'): SealContext => ({
  table: 'people',
  column,
  application: id,
  row: id,
})

/** Sealed values are text. */
const textOf = (bytes: Buffer): string => bytes.toString('base64')
const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64')

/** Creates a secret that takes effect once it is confirmed. */
export async function beginTotp(
  tx: Queries,
  secrets: Secrets,
  { id, email }: Pick<PersonRow, 'id' | 'email'>,
  issuer: string,
): Promise<TotpEnrolment> {
  const bytes = randomBytes(totpSecretBytes)
  await writePendingTotp(tx, id, secrets.seal(textOf(bytes), contextOf(id, 'sealed_pending_totp')))
  const secret = toBase32(bytes)
  return { secret, uri: totpUri(secret, { issuer, account: email }) }
}

/** Confirms the new secret and creates recovery codes. Returns false if the code is wrong. */
export async function finishTotp(
  tx: Queries,
  secrets: Secrets,
  row: PersonRow,
  { code, recovery, now }: { code: string; recovery: NewRecoveryCodes; now: number },
): Promise<boolean> {
  const pending = row.sealed_pending_totp
  if (pending === null)
    throw new ApiError('conflict', 'no second factor was started: start with POST /v3/admin/account/totp')
  const secret = bytesOf(secrets.open(pending, contextOf(row.id, 'sealed_pending_totp')))
  const step = stepOfCode(secret, plainCode(code), { now, after: 0 })
  if (step === undefined) return false
  const sealed = secrets.seal(textOf(secret), contextOf(row.id, 'sealed_totp'))
  if (!(await confirmTotp(tx, row.id, { pending, sealed, step, now }))) {
    throw new ApiError('conflict', 'the second factor was started again in the meantime')
  }
  await writeRecoveryCodes(tx, row.id, recovery.digests)
  return true
}

/** Removes the second factor and its recovery codes. */
export async function removeTotp(tx: Queries, id: string, now: number): Promise<void> {
  await clearTotp(tx, id, now)
  await writeRecoveryCodes(tx, id, [])
}

/** Recovery codes that are not stored yet. */
interface NewRecoveryCodes {
  /** For people to read. */
  codes: string[]
  /** The stored forms. */
  digests: string[]
}

/** Creates recovery codes. Hashing them takes a moment, so it happens before the transaction that stores them. */
export async function makeRecoveryCodes(hashing: PasswordHashing): Promise<NewRecoveryCodes> {
  const codes = Array.from({ length: recoveryCodes }, () => newShortName(recoveryLength))
  const digests = await hashing.digestAll(codes.map(hashKey))
  return { codes: codes.map((code) => code.replaceAll(/(.{4})(?=.)/g, '$1-')), digests }
}

/** Ignores spaces, dashes and case. */
const plainCode = (code: string): string => code.toLowerCase().replaceAll(/[\s-]/g, '')

type CodeOutcome = 'right' | 'wrong' | 'too many'

/** Checks a code of the app, or a recovery code, and consumes it. */
export async function tryCode(
  { queries, secrets, hashing }: { queries: Database; secrets: Secrets; hashing: PasswordHashing },
  row: PersonRow,
  { code, now }: { code: string; now: number },
): Promise<CodeOutcome> {
  const plain = plainCode(code)
  // Not counted, so that guessing app codes never blocks a recovery code.
  if (plain.length === recoveryLength)
    return (await takeRecoveryCode(queries, hashing, { id: row.id, plain })) ? 'right' : 'wrong'
  const sealed = row.sealed_totp
  if (sealed === null) return 'wrong'
  if (!(await takeCodeTry(queries, row.id, { max: codeTries, now, since: now - triesMs }))) return 'too many'
  const secret = bytesOf(secrets.open(sealed, contextOf(row.id, 'sealed_totp')))
  const step = stepOfCode(secret, plain, { now, after: row.totp_step })
  return step !== undefined && (await takeTotpStep(queries, row.id, { step, sealed })) ? 'right' : 'wrong'
}

/** The stored form of earlier versions: SHA-256 without salt. */
const isUnsalted = (stored: string): boolean => !stored.includes('.')

/** Consumes a recovery code. Returns false if there is no such code. */
async function takeRecoveryCode(
  queries: Database,
  hashing: PasswordHashing,
  { id, plain }: { id: string; plain: string },
): Promise<boolean> {
  await saltRecoveryCodes(queries, hashing, id)
  const stored = await listRecoveryCodes(queries, id)
  const found = await hashing.findDigest(stored, hashKey(plain))
  return found !== undefined && useRecoveryCode(queries, id, found)
}

/** Replaces the stored forms of earlier versions with salted argon2id hashes of their SHA-256. */
async function saltRecoveryCodes(queries: Database, hashing: PasswordHashing, id: string): Promise<void> {
  const unsalted = (await listRecoveryCodes(queries, id)).filter(isUnsalted)
  if (unsalted.length === 0) return
  const salted = await hashing.digestAll(unsalted)
  await queries.transaction(async (tx) => {
    for (const [at, hash] of unsalted.entries()) {
      // A code that was used in the meantime stays used.
      if (await useRecoveryCode(tx, id, hash)) await addRecoveryCode(tx, id, salted[at] ?? '')
    }
  })
}

/**
 * Codes of authenticator apps (RFC 6238: HMAC-SHA-1, six digits, steps of 30 seconds), which every app supports. A
 * code is valid in its step and the neighboring ones, to allow for inaccurate clocks.
 */
const stepMs = 30_000
const digits = 6

/** Length of a secret in bytes: that of the hash (RFC 4226 §4). */
const totpSecretBytes = 20

/** The code of a step (RFC 4226 §5.3). */
export function codeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits).padStart(digits, '0')
}

export const stepOf = (now: number): number => Math.floor(now / stepMs)

/** The step of a code, if the code is valid now and the step is later than the last accepted one. */
export function stepOfCode(
  secret: Uint8Array,
  code: string,
  { now, after }: { now: number; after: number },
): number | undefined {
  const shown = Buffer.from(code)
  const current = stepOf(now)
  return [current, current - 1, current + 1].find((step) => {
    const right = Buffer.from(codeAt(secret, step))
    return step > after && right.length === shown.length && timingSafeEqual(right, shown)
  })
}

/** The content of the QR code for an app. */
export function totpUri(secret: string, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=30`
}
