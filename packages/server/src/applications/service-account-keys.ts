/** RSA keys of service accounts. */
import { createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { invalidField } from '@waypost/platform/api-error'

const generate = promisify(generateKeyPair)

const bits = { generated: 2048, min: 2048, max: 4096 }
/** Every tool uses this exponent. A large one would make each verification as slow as signing. */
const exponent = 65537n

/** A new key pair in PEM format. It is made in a thread. */
export async function makeKeyPair(): Promise<{ publicKey: string; privateKey: string }> {
  return generate('rsa', {
    modulusLength: bits.generated,
    publicExponent: Number(exponent),
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
}

/** The public key that an owner registers, in the form that is stored. */
export function readPublicKey(pem: string): string {
  const text = pem.trim()
  // Node derives a public key from a private one, which must not be sent here at all.
  if (/PRIVATE KEY/.test(text)) {
    throw invalidField('public_key', 'is a private key: keep it, and send only its public key')
  }
  if (!/^-----BEGIN (RSA )?PUBLIC KEY-----/.test(text)) {
    throw invalidField('public_key', 'must be an RSA public key in PEM format (-----BEGIN PUBLIC KEY-----)')
  }
  const key = parse(text)
  const { modulusLength = 0, publicExponent } = key?.asymmetricKeyDetails ?? {}
  if (key?.asymmetricKeyType !== 'rsa') throw invalidField('public_key', 'must be an RSA public key in PEM format')
  if (modulusLength < bits.min || modulusLength > bits.max) {
    throw invalidField('public_key', `must have ${bits.min} to ${bits.max} bits, not ${modulusLength}`)
  }
  if (publicExponent !== exponent) throw invalidField('public_key', `must have the exponent ${exponent}`)
  return key.export({ type: 'spki', format: 'pem' }).toString()
}

function parse(pem: string): KeyObject | undefined {
  try {
    return createPublicKey(pem)
  } catch {
    return undefined
  }
}
