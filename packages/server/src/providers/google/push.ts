/**
 * What Google posts: messages of Pub/Sub, which say whose mail changed, and those of calendar channels, which say by the
 * token of the channel which grant is meant. Neither says what changed.
 */
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { ApiError } from '../../lib/api-error.ts'
import type { Io, PushHint, PushReceipt, PushRequest } from '../provider.ts'

const host = 'https://www.googleapis.com'
const issuers = ['https://accounts.google.com', 'accounts.google.com']
const keysMs = 3_600_000
/** A key that is not known is asked for again after this. */
const askedAgainMs = 60_000
const keyBytes = 256 * 1024

interface Keys {
  find: ReturnType<typeof createLocalJWKSet>
  at: number
}

async function fetchKeys(url: string, { request, signal, clock }: Io): Promise<Keys> {
  const { status, body } = await request({ url, method: 'GET', signal, maxBytes: keyBytes, onOverflow: 'fail' })
  if (status !== 200) throw new ApiError('provider_unavailable', 'the keys of Google cannot be fetched now')
  const keys: JSONWebKeySet = JSON.parse(body.toString())
  return { find: createLocalJWKSet(keys), at: clock.now() }
}

/** The keys, at most so old. */
async function keysOf(io: Io, maxAge: number): Promise<Keys> {
  const url = `${io.providerUrl ?? host}/oauth2/v3/certs`
  // By where they were fetched.
  const kept = io.shared('push keys', () => new Map<string, Promise<Keys>>())
  const known = await kept.get(url)?.catch(() => undefined)
  if (known && io.clock.now() - known.at < maxAge) return known
  const fetched = fetchKeys(url, io)
  kept.set(url, fetched)
  fetched.catch(() => kept.delete(url))
  return fetched
}

const notGenuine = (cause?: unknown): ApiError =>
  new ApiError('not_found', undefined, cause === undefined ? {} : { cause })

/** Checks the token that Pub/Sub signs its pushes with: Google's, meant for this very address, not expired. */
async function checkToken(request: PushRequest, io: Io): Promise<void> {
  const token = /^Bearer (\S+)$/i.exec(request.header('authorization') ?? '')?.[1]
  if (token === undefined) throw notGenuine()
  const options = {
    issuer: issuers,
    audience: audiences(request.address),
    algorithms: ['RS256'],
    currentDate: new Date(io.clock.now()),
    clockTolerance: 60,
    requiredClaims: ['exp', 'email'],
  }
  const verify = async (maxAge: number) => jwtVerify(token, (await keysOf(io, maxAge)).find, options)
  try {
    const { payload } = await verify(keysMs).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ERR_JWKS_NO_MATCHING_KEY') {
        return verify(askedAgainMs)
      }
      throw error
    })
    if (payload.email_verified !== true) throw notGenuine()
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw notGenuine(error)
  }
}

/** A subscription names the whole address as its audience, or the address without a query. */
const audiences = (address: string): string[] => [...new Set([address, address.split('?')[0] ?? address])]

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

function parse(bytes: Uint8Array): Record<string, unknown> {
  try {
    return record(JSON.parse(Buffer.from(bytes).toString()))
  } catch (error) {
    throw notGenuine(error)
  }
}

/** Whose mail a message of Pub/Sub is about. */
async function readMailPush(request: PushRequest, io: Io): Promise<PushHint[]> {
  await checkToken(request, io)
  const { data } = record(parse(request.body).message)
  const { emailAddress } = parse(Buffer.from(typeof data === 'string' ? data : '', 'base64'))
  return typeof emailAddress === 'string' ? [{ email: emailAddress }] : []
}

function readChannelPush(request: PushRequest): PushHint[] {
  const token = request.header('x-goog-channel-token')
  if (!token) throw notGenuine()
  // The first message of a channel only says that it is open.
  return request.header('x-goog-resource-state') === 'sync' ? [] : [{ token }]
}

/** Reads what Google posted. */
export async function receive(request: PushRequest, io: Io): Promise<PushReceipt> {
  if (request.path === 'mail') return { hints: await readMailPush(request, io) }
  if (request.path === 'calendar') return { hints: readChannelPush(request) }
  throw notGenuine()
}
