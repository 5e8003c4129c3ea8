// Users with access keys, roles, and the temporary keys of assumed roles.
import { randomBytes } from 'node:crypto'
import type { RawRequest } from '../shared/http.ts'
import { AwsError, escapeText } from './errors.ts'
import { claimOf, verifySignature } from './signature.ts'

export interface AccessKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export interface RoleSeed {
  readonly name: string
  /** What the role may do, e.g. `sns:Publish`; `*` is everything. */
  readonly actions?: readonly string[]
  /** The condition `sts:ExternalId` of its trust policy. */
  readonly externalId?: string
}

/** Somebody whose signature was verified. */
export interface Principal {
  readonly arn: string
  may(action: string): boolean
}

interface Key {
  readonly secret: string
  readonly arn: string
  actions: readonly string[]
  readonly sessionToken?: string
  readonly until?: number
}

interface Role {
  actions: readonly string[]
  readonly externalId: string | undefined
}

/** The shortest and the default lifetime of temporary keys. */
const minSessionSeconds = 900
const sessionSeconds = 3_600
const maxSessionSeconds = 43_200

export class Identities {
  readonly #account: string
  readonly #now: () => number
  readonly #keys = new Map<string, Key>()
  readonly #roles = new Map<string, Role>()
  #users = 0

  constructor(account: string, now: () => number) {
    this.#account = account
    this.#now = now
  }

  addUser(actions: readonly string[]): AccessKey {
    this.#users++
    const accessKeyId = `AKIA${randomLetters(16)}`
    const secretAccessKey = randomBytes(30).toString('base64')
    const arn = `arn:aws:iam::${this.#account}:user/user-${this.#users}`
    this.#keys.set(accessKeyId, { secret: secretAccessKey, arn, actions })
    return { accessKeyId, secretAccessKey }
  }

  addRole({ name, actions = ['sns:Publish', 'sns:GetTopicAttributes'], externalId }: RoleSeed): string {
    const arn = `arn:aws:iam::${this.#account}:role/${name}`
    this.#roles.set(arn, { actions, externalId })
    return arn
  }

  setActions(accessKeyId: string, actions: readonly string[]): void {
    const key = this.#keys.get(accessKeyId)
    if (key) key.actions = actions
  }

  deleteKey(accessKeyId: string): void {
    this.#keys.delete(accessKeyId)
  }

  /** Ends the temporary keys of every role, as after their lifetime. */
  expireSessions(): void {
    for (const [id, key] of this.#keys) if (key.sessionToken !== undefined) this.#keys.set(id, { ...key, until: 0 })
  }

  /** The signer of a request; throws if the signature is not valid. */
  authenticate(request: RawRequest, place: { region: string; service: string }): Principal {
    const claim = claimOf(request)
    const key = this.#keys.get(claim.accessKeyId)
    if (key === undefined || key.sessionToken !== claim.sessionToken) {
      throw new AwsError(403, 'InvalidClientTokenId', 'The security token included in the request is invalid.')
    }
    verifySignature(request, claim, { secret: key.secret, ...place, now: this.#now() })
    if (key.until !== undefined && key.until <= this.#now()) {
      throw new AwsError(403, 'ExpiredToken', 'The security token included in the request is expired')
    }
    return { arn: key.arn, may: (action) => key.actions.includes('*') || key.actions.includes(action) }
  }

  /** The result of `sts:AssumeRole`, as XML. */
  assumeRole(principal: Principal, form: URLSearchParams): string {
    const arn = form.get('RoleArn') ?? ''
    const session = form.get('RoleSessionName') ?? ''
    const seconds = Number(form.get('DurationSeconds') ?? sessionSeconds)
    if (!/^[\w+=,.@-]{2,64}$/.test(session)) throw invalid('roleSessionName', session)
    if (!(seconds >= minSessionSeconds && seconds <= maxSessionSeconds))
      throw invalid('durationSeconds', String(seconds))
    const role = this.#roles.get(arn)
    const isTrusted = role?.externalId === undefined || role.externalId === form.get('ExternalId')
    if (role === undefined || !isTrusted || !principal.may('sts:AssumeRole')) {
      throw new AwsError(
        403,
        'AccessDenied',
        `User: ${principal.arn} is not authorized to perform: sts:AssumeRole on resource: ${arn}`,
      )
    }
    const accessKeyId = `ASIA${randomLetters(16)}`
    const secret = randomBytes(30).toString('base64')
    const sessionToken = randomBytes(120).toString('base64')
    const until = this.#now() + seconds * 1000
    const assumed = `arn:aws:sts::${this.#account}:assumed-role/${arn.slice(arn.indexOf('/') + 1)}/${session}`
    this.#keys.set(accessKeyId, { secret, arn: assumed, actions: role.actions, sessionToken, until })
    return `<Credentials><AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${escapeText(secret)}</SecretAccessKey><SessionToken>${sessionToken}</SessionToken><Expiration>${new Date(until).toISOString()}</Expiration></Credentials><AssumedRoleUser><Arn>${assumed}</Arn><AssumedRoleId>AROA${randomLetters(17)}:${session}</AssumedRoleId></AssumedRoleUser>`
  }
}

const invalid = (field: string, value: string): AwsError =>
  new AwsError(
    400,
    'ValidationError',
    `1 validation error detected: Value '${value}' at '${field}' failed to satisfy constraint`,
  )

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const randomLetters = (count: number): string =>
  [...randomBytes(count)].map((byte) => letters[byte % letters.length]).join('')
