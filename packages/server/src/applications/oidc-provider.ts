/** An OpenID provider's published endpoints and keys, fetched on demand and cached for an hour. */
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Clock } from '../lib/clock.ts'
import type { Egress } from '../lib/egress/egress.ts'
import { algorithms, Discovery, discoveryAddress, OidcError } from './oidc.ts'

export interface OidcProvider {
  discovery(): Promise<Discovery>
  /** The claims of a genuine token. Throws if its signature, issuer, audience or times are wrong. */
  read(token: string, audience: string): Promise<JWTPayload>
  /** A request with a JSON response. */
  ask(request: OidcRequest): Promise<unknown>
}

export interface OidcRequest {
  url: string
  headers: Record<string, string>
  /** Posted, if present. */
  body?: string
}

export interface OidcProviderOptions {
  issuer: string
  egress: Pick<Egress, 'request'>
  clock: Clock
}

const keptMs = 3_600_000
/** Delay before a failed fetch or an unknown key is requested again. */
const againMs = 10_000
const deadlineMs = 8_000
const answerBytes = 256 * 1024

const Keys = z.object({ keys: z.array(z.record(z.string(), z.unknown())).max(100) })

export function createOidcProvider({ issuer, egress, clock }: OidcProviderOptions): OidcProvider {
  const ask = async ({ url, headers, body }: OidcRequest): Promise<unknown> => {
    const method = body === undefined ? 'GET' : 'POST'
    const limits = { deadlineMs, maxBytes: answerBytes, onOverflow: 'fail' } as const
    const answer = await egress.request({ url, method, headers, body, ...limits }).catch((cause: unknown) => {
      throw new OidcError('unreachable', 'the provider cannot be reached', { cause })
    })
    if (answer.status >= 500) throw new OidcError('unreachable', `the provider answered ${answer.status}`)
    if (answer.status !== 200)
      throw new OidcError('refused', `the provider answered ${answer.status}${said(answer.body)}`)
    try {
      return JSON.parse(answer.body.toString('utf8'))
    } catch {
      throw new OidcError('unreachable', "the provider's answer is not JSON")
    }
  }
  const read = async <T>(url: string, form: z.ZodType<T>): Promise<T> => {
    const found = form.safeParse(await ask({ url, headers: { accept: 'application/json' } }))
    if (!found.success) throw new OidcError('unreachable', `the provider's answer at ${url} has an unexpected form`)
    return found.data
  }
  const discovery = kept(clock, async () => {
    const found = await read(discoveryAddress(issuer), Discovery)
    if (found.issuer !== issuer) {
      throw new OidcError('unreachable', "the provider's issuer differs from WAYPOST_OIDC_ISSUER")
    }
    return found
  })
  const keys = kept(clock, async () => {
    const { jwks_uri } = await discovery(keptMs)
    const set: unknown = await read(jwks_uri, Keys)
    return createLocalJWKSet(set as JSONWebKeySet)
  })

  const verify = async (token: string, options: JWTVerifyOptions, maxAge: number): Promise<JWTPayload> => {
    const { payload } = await jwtVerify(token, await keys(maxAge), options)
    return payload
  }
  return {
    ask,
    discovery: () => discovery(keptMs),
    async read(token, audience) {
      const options: JWTVerifyOptions = {
        ...{ issuer, audience, algorithms, clockTolerance: 60 },
        currentDate: new Date(clock.now()),
        requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
      }
      try {
        return await verify(token, options, keptMs).catch((error: unknown) => {
          // An unknown key may be new.
          if (error instanceof errors.JWKSNoMatchingKey) return verify(token, options, againMs)
          throw error
        })
      } catch (error) {
        if (error instanceof OidcError) throw error
        throw new OidcError('refused', 'the token is not genuine', { cause: error })
      }
    },
  }
}

/** A value that is fetched once for all concurrent callers, and again when it is older than they accept. */
function kept<T>(clock: Clock, read: () => Promise<T>): (maxAge: number) => Promise<T> {
  let latest: { at: number; value: Promise<T>; failed: boolean } | undefined
  return (maxAge) => {
    const limit = latest?.failed ? againMs : maxAge
    if (latest && clock.now() - latest.at < limit) return latest.value
    const started = { at: clock.now(), value: read(), failed: false }
    latest = started
    started.value.catch(() => {
      started.failed = true
    })
    return started.value
  }
}

/** The OAuth error code, for the log. */
function said(body: Buffer): string {
  try {
    const { error } = z.object({ error: z.string() }).parse(JSON.parse(body.toString('utf8')))
    return `: ${error.slice(0, 100)}`
  } catch {
    return ''
  }
}
