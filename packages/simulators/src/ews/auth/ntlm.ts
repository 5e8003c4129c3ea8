// NTLM over HTTP, as in IIS: a handshake of three messages authenticates one connection for the user. Only NTLMv2 is
// accepted. https://learn.microsoft.com/openspecs/windows_protocols/ms-nlmp
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { World } from '../model.ts'
import type { Account } from '../owner.ts'
import { md4, rc4 } from './md4.ts'
import { accountNamed } from './names.ts'
import { type Authenticate, av, messageType, readAuthenticate, readPairs, writeChallenge } from './ntlm-messages.ts'

/** The state of a handshake. */
interface Handshake {
  readonly negotiate: Buffer
  readonly challengeMessage: Buffer
  readonly challenge: Buffer
}

export type NtlmStep =
  /** Send the second message, with a 401. */
  | { readonly challenge: Buffer }
  | { readonly account: Account }
  /** The password is wrong, or the user does not exist. */
  | { readonly refused: Account | undefined }

export interface NtlmOptions {
  /** The channel binding hash that clients must send (Extended Protection); default: none is required. */
  readonly channelBinding?: Uint8Array
}

const keyExchange = 0x40000000

export function createNtlm(world: World, { channelBinding }: NtlmOptions) {
  const handshakes = new WeakMap<object, Handshake>()

  /** Processes a message received over a connection. */
  return function step(connection: object, message: Buffer): NtlmStep {
    if (messageType(message) === 1) {
      const challenge = randomBytes(8)
      const domain = world.accounts()[0]?.domain ?? 'EXCHANGE'
      const challengeMessage = writeChallenge(challenge, domain, 'mail.exchange.example', world.now())
      handshakes.set(connection, { negotiate: message, challengeMessage, challenge })
      return { challenge: challengeMessage }
    }
    const handshake = handshakes.get(connection)
    handshakes.delete(connection)
    const given = messageType(message) === 3 ? readAuthenticate(message) : undefined
    if (handshake === undefined || given === undefined) return { refused: undefined }
    const account = accountNamed(world, given.domain === '' ? given.user : `${given.domain}\\${given.user}`)
    if (account === undefined) return { refused: undefined }
    const isGood = proves(account, given, handshake, message) && isBound(given, channelBinding)
    return isGood ? { account } : { refused: account }
  }
}

const hmac = (key: Buffer, ...parts: Buffer[]): Buffer => createHmac('md5', key).update(Buffer.concat(parts)).digest()

/** Whether an NTLMv2 response was computed with the account's password. */
function proves(account: Account, given: Authenticate, handshake: Handshake, message: Buffer): boolean {
  const { ntResponse, user, domain } = given
  // 24 bytes is the length of an NTLMv1 response.
  if (ntResponse.length <= 24) return false
  const hash = md4(Buffer.from(account.password, 'utf16le'))
  const key = hmac(hash, Buffer.from(user.toUpperCase() + domain, 'utf16le'))
  const proof = ntResponse.subarray(0, 16)
  if (!timingSafeEqual(hmac(key, handshake.challenge, ntResponse.subarray(16)), proof)) return false
  return isWhole(given, handshake, message, hmac(key, proof))
}

/** Verifies the integrity code over the three messages, if the client declares that it sends one. */
function isWhole(given: Authenticate, handshake: Handshake, message: Buffer, baseKey: Buffer): boolean {
  const saysSo = ((pairsOf(given).get(av.flags)?.readUInt32LE(0) ?? 0) & 2) === 2
  if (!saysSo) return true
  if (given.mic === undefined) return false
  const key = (given.flags & keyExchange) === 0 ? baseKey : rc4(baseKey, given.sessionKey)
  const blank = Buffer.from(message)
  blank.fill(0, 72, 88)
  return hmac(key, handshake.negotiate, handshake.challengeMessage, blank).equals(given.mic)
}

/** Whether the client sent the required channel binding, if one is required. */
function isBound(given: Authenticate, wanted: Uint8Array | undefined): boolean {
  return wanted === undefined || pairsOf(given).get(av.binding)?.equals(wanted) === true
}

const pairsOf = ({ ntResponse }: Authenticate) => readPairs(ntResponse.subarray(16 + 28))
