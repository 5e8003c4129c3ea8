/**
 * Reads what Google posts: Pub/Sub messages name the address whose mail changed, and calendar channels name the grant
 * by the token of the channel. Neither says what changed.
 */
import { ApiError } from '@waypost/platform/api-error'
import type { Io } from '../io.ts'
import type { PushHint, PushReceipt, PushRequest } from '../provider.ts'
import { notGenuine, postedObject, readSigned } from '../shared/push-request.ts'
import { recordOf } from '../shared/refusal.ts'

const host = 'https://www.googleapis.com'
const issuer = ['https://accounts.google.com', 'accounts.google.com']

/** Checks the token that signs a Pub/Sub push: issued by Google for exactly this address, and not expired. */
async function checkToken(request: PushRequest, io: Io): Promise<void> {
  const token = /^Bearer (\S+)$/i.exec(request.header('authorization') ?? '')?.[1]
  if (token === undefined) throw notGenuine()
  const rules = {
    name: 'Google',
    keysUrl: `${io.providerUrl ?? host}/oauth2/v3/certs`,
    issuer,
    audience: audiences(request.address),
    requiredClaims: ['email'],
  }
  try {
    const payload = await readSigned(token, rules, io)
    if (payload.email_verified !== true) throw notGenuine()
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw notGenuine(error)
  }
}

/** A subscription names the whole address as its audience, or the address without a query. */
const audiences = (address: string): string[] => [...new Set([address, address.split('?')[0] ?? address])]

/** The account whose mail a Pub/Sub message is about. */
async function readMailPush(request: PushRequest, io: Io): Promise<PushHint[]> {
  await checkToken(request, io)
  const { data } = recordOf(postedObject(request.body).message)
  const { emailAddress } = postedObject(Buffer.from(typeof data === 'string' ? data : '', 'base64'))
  return typeof emailAddress === 'string' ? [{ email: emailAddress }] : []
}

function readChannelPush(request: PushRequest): PushHint[] {
  const token = request.header('x-goog-channel-token')
  if (!token) throw notGenuine()
  // The first message of a channel only says that it is open.
  return request.header('x-goog-resource-state') === 'sync' ? [] : [{ token }]
}

export async function receive(request: PushRequest, io: Io): Promise<PushReceipt> {
  if (request.path === 'mail') return { hints: await readMailPush(request, io) }
  if (request.path === 'calendar') return { hints: readChannelPush(request) }
  throw notGenuine()
}
