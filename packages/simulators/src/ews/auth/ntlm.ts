// NTLM over HTTP, as IIS does it: a handshake of three messages on one connection, which then belongs to the user. Only NTLMv2
// is taken. https://learn.microsoft.com/openspecs/windows_protocols/ms-nlmp
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { World } from '../model.ts'
import type { Account } from '../owner.ts'
import { md4, rc4 } from './md4.ts'
import { accountNamed } from './names.ts'
import { type Authenticate, AV, messageType, readAuthenticate, readPairs, writeChallenge } from './ntlm-messages.ts'

/** Where a handshake is. */
interface Handshake {
  readonly negotiate: Buffer
  readonly challengeMessage: Buffer
  readonly challenge: Buffer
}

export type NtlmStep =
  /** The second message is to be sent, with a 401. */
  | { readonly challenge: Buffer }
  | { readonly account: Account }
  /** The password is not the user's, or the user is not known. */
  | { readonly refused: Account | undefined }

export interface NtlmOptions {
  /** The hash of the certificate's channel that clients must bind to (Extended Protection); default: none is asked for. */
  readonly channelBinding?: Uint8Array
}

const KEY_EXCHANGE = 0x40000000

export function createNtlm(world: World, { channelBinding }: NtlmOptions) {
  const handshakes = new WeakMap<object, Handshake>()

  /** Takes a message that came over a connection. */
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

/** Whether a response of NTLMv2 was made with the password of the account. */
function proves(account: Account, given: Authenticate, handshake: Handshake, message: Buffer): boolean {
  const { ntResponse, user, domain } = given
  // 24 bytes are a response of NTLMv1.
  if (ntResponse.length <= 24) return false
  const hash = md4(Buffer.from(account.password, 'utf16le'))
  const key = hmac(hash, Buffer.from(user.toUpperCase() + domain, 'utf16le'))
  const proof = ntResponse.subarray(0, 16)
  if (!timingSafeEqual(hmac(key, handshake.challenge, ntResponse.subarray(16)), proof)) return false
  return isWhole(given, handshake, message, hmac(key, proof))
}

/** Whether nobody has changed the three messages, where the client says that it has made sure of it. */
function isWhole(given: Authenticate, handshake: Handshake, message: Buffer, baseKey: Buffer): boolean {
  const saysSo = ((pairsOf(given).get(AV.flags)?.readUInt32LE(0) ?? 0) & 2) === 2
  if (!saysSo) return true
  if (given.mic === undefined) return false
  const key = (given.flags & KEY_EXCHANGE) === 0 ? baseKey : rc4(baseKey, given.sessionKey)
  const blank = Buffer.from(message)
  blank.fill(0, 72, 88)
  return hmac(key, handshake.negotiate, handshake.challengeMessage, blank).equals(given.mic)
}

/** Whether the client has bound itself to the channel of the certificate, where that is asked for. */
function isBound(given: Authenticate, wanted: Uint8Array | undefined): boolean {
  return wanted === undefined || pairsOf(given).get(AV.binding)?.equals(wanted) === true
}

const pairsOf = ({ ntResponse }: Authenticate) => readPairs(ntResponse.subarray(16 + 28))
