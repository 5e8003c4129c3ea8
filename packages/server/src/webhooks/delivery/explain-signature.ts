/** Which signatures of a delivery are valid, and why others are not: common mistakes of receivers. Pure. */
import { timingSafeEqual } from 'node:crypto'
import { limits, type SignatureCheck, type SignatureVerdict } from '@waypost/contract'
import { createSigner } from '../transports/sign.ts'

export interface KnownSecret {
  of: 'destination' | 'previous' | 'test' | 'other'
  secret: string
}

export interface Received {
  headers: Readonly<Record<string, string>>
  body: Buffer
}

interface Form {
  /** How the body was changed. Undefined if it is unchanged. */
  change: string | undefined
  body: Buffer
}

const compact = 'without its spaces, so something parsed and rewrote the body'

/** The body as it arrived, and as it may have been before somebody changed it. */
function formsOf(body: Buffer): Form[] {
  const forms: Form[] = [{ change: undefined, body }]
  const text = body.toString('utf8')
  if (!Buffer.from(text).equals(body)) return forms
  const add = (change: string, changed: string): void => {
    if (changed !== text) forms.push({ change, body: Buffer.from(changed) })
  }
  add('without the surrounding line break or spaces', text.trim())
  try {
    add(compact, JSON.stringify(JSON.parse(text)))
  } catch {
    // Not JSON, so it was not rewritten.
  }
  return forms
}

const same = (a: string, b: string): boolean => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** Whether a header contains the expected signature. During a rotation it contains several, separated by spaces. */
const holds = (given: string, expected: string): boolean =>
  given.split(' ').some((each) => same(each, expected.split(' ')[0] ?? ''))

const results = {
  destination: 'valid',
  previous: 'valid_previous',
  test: 'test_secret',
  other: 'other_destination',
} as const

interface FoundKey {
  check: SignatureCheck
  change: string | undefined
}

/** The expected headers for one secret and one form of the body. */
interface Expected {
  result: SignatureCheck['result']
  change: string | undefined
  headers: Readonly<Record<string, string>>
}

/**
 * For larger bodies, the secrets of other destinations are not tried, because each costs two passes over the body.
 */
const triedByOthers = 65_536

/** Most likely first, generated lazily. */
function* expectations(
  { headers, body }: Received,
  { secrets, signatureHeader }: { secrets: readonly KnownSecret[]; signatureHeader: string },
): Generator<Expected> {
  const id = headers['webhook-id'] ?? ''
  const timestamp = Number(headers['webhook-timestamp'] ?? Number.NaN)
  const forms = formsOf(body)
  const own = secrets.filter(({ of }) => of !== 'other')
  const others = body.length > triedByOthers ? [] : secrets.filter(({ of }) => of === 'other')
  const pairs = [
    ...forms.flatMap((form) => own.map((each) => ({ ...each, form }))),
    ...others.map((each) => ({ ...each, form: { change: undefined, body } })),
  ]
  for (const { of, secret, form } of pairs) {
    const expected = createSigner({ current: secret }, signatureHeader)({ id, timestamp, body: form.body })
    yield {
      result: form.change === undefined ? results[of] : 'body_changed',
      change: form.change,
      headers: expected,
    }
  }
}

/** The result for each header. A header that matched is not checked further. */
function checkHeaders(given: ReadonlyMap<string, string>, expected: Iterable<Expected>): FoundKey[] {
  const found = new Map<string, FoundKey>()
  for (const { result, change, headers } of expected) {
    for (const [header, value] of given) {
      // The `-previous` header has the same signature by the other secret.
      if (found.has(header) || !holds(value, headers[header.replace(/-previous$/, '')] ?? '')) continue
      found.set(header, { check: { header, result }, change })
    }
    if (found.size === given.size) break
  }
  return [...given.keys()].map(
    (header) => found.get(header) ?? { check: { header, result: 'wrong' }, change: undefined },
  )
}

/** Checks the signatures of a delivery against all secrets that may have signed it. */
export function explainSignature(
  received: Received,
  { secrets, signatureHeader, now }: { secrets: readonly KnownSecret[]; signatureHeader: string; now: number },
): SignatureVerdict {
  const headers = Object.fromEntries(
    Object.entries(received.headers).map(([name, value]) => [name.trim().toLowerCase(), value.trim()]),
  )
  const name = signatureHeader.toLowerCase()
  const names = [name, 'x-nylas-signature', 'webhook-signature', `${name}-previous`]
  const given = new Map(
    names.filter((each) => hasAll(each, headers)).flatMap((each) => (headers[each] ? [[each, headers[each]]] : [])),
  )
  const checked = checkHeaders(given, expectations({ headers, body: received.body }, { secrets, signatureHeader }))
  const found = names.flatMap((header): FoundKey[] => {
    const known = checked.find(({ check }) => check.header === header)
    if (known) return [known]
    // Present only during a rotation.
    return header.endsWith('-previous') ? [] : [{ check: { header, result: 'absent' }, change: undefined }]
  })
  const timestamp = Number(headers['webhook-timestamp'] ?? Number.NaN)
  const age = Number.isSafeInteger(timestamp) ? Math.floor(now / 1000) - timestamp : null
  const tooOld = age !== null && Math.abs(age) > limits.signatureToleranceSeconds
  const there = found.filter(({ check }) => check.result !== 'absent')
  const valid = there.length > 0 && there.every(({ check }) => isRight(check))
  return {
    valid,
    checks: found.map(({ check }) => check),
    age_seconds: age,
    too_old: tooOld,
    explanation: wordsFor({ found, there, headers, tooOld, valid, age }),
  }
}

const isRight = ({ result }: SignatureCheck): boolean => result === 'valid' || result === 'valid_previous'

/** Signatures over the timestamp cannot be checked without it. */
const hasAll = (header: string, headers: Readonly<Record<string, string>>): boolean =>
  header !== 'webhook-signature' ||
  (headers['webhook-id'] !== undefined && /^\d{1,12}$/.test(headers['webhook-timestamp'] ?? ''))

interface Facts {
  found: readonly FoundKey[]
  there: readonly FoundKey[]
  headers: Readonly<Record<string, string>>
  tooOld: boolean
  valid: boolean
  age: number | null
}

const sentences: Readonly<Partial<Record<SignatureCheck['result'], string>>> = {
  valid_previous:
    'The delivery is signed with the previous secret, which stays valid for 24 hours after a rotation. Update your receiver to the new secret in that time.',
  test_secret:
    'This is a test event, signed with the fixed secret mock-webhook-secret. Real deliveries use the secret of the destination.',
  other_destination:
    'The delivery is signed with the secret of another destination of this application. Each destination has its own secret.',
  wrong:
    'A signature matches no known secret, or covers another body. Verify the exact bytes that you received with the secret of this destination. After more than one rotation, older deliveries can no longer be checked.',
}

function wordsFor({ found, there, headers, tooOld, valid, age }: Facts): string[] {
  if (there.length === 0) return [withoutSignatures(headers)]
  const words: string[] = []
  if (valid) words.push('The delivery comes from this service, is for this destination, and is unchanged.')
  const change = found.find((each) => each.change !== undefined)?.change
  if (change !== undefined) {
    const form = change === compact ? 'for the same JSON ' : 'for the body '
    words.push(
      `The signature is valid ${form}${change}. Verify the exact bytes that you received, before anything parses or trims them.`,
    )
  }
  for (const result of new Set(there.map(({ check }) => check.result))) {
    const sentence = sentences[result]
    if (sentence) words.push(sentence)
  }
  if (headers['webhook-signature'] === undefined) {
    words.push(
      'webhook-signature is missing. Only this signature covers the time, so without it an old delivery can be replayed.',
    )
  } else if (age === null) {
    words.push('webhook-signature also covers webhook-id and webhook-timestamp. Include both.')
  }
  if (tooOld) {
    words.push('The timestamp is more than five minutes off. Receivers with replay protection reject it.')
  }
  return words
}

function withoutSignatures(headers: Readonly<Record<string, string>>): string {
  const few = Object.keys(headers).length === 0 ? 'No headers were given.' : 'None of the headers is a signature.'
  return `${few} Check whether a proxy in front of your receiver removes unknown headers.`
}
