/**
 * The MD4 digest (RFC 1320), which NTLM applies to passwords. OpenSSL does not offer it any more, and nothing else
 * should use it.
 */

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits))

/** The three rounds: mixing function, added constant, rotations, and order of words. */
const rounds = [
  {
    mix: (x: number, y: number, z: number) => (x & y) | (~x & z),
    add: 0,
    shifts: [3, 7, 11, 19],
    order: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  },
  {
    mix: (x: number, y: number, z: number) => (x & y) | (x & z) | (y & z),
    add: 0x5a827999,
    shifts: [3, 5, 9, 13],
    order: [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15],
  },
  {
    mix: (x: number, y: number, z: number) => x ^ y ^ z,
    add: 0x6ed9eba1,
    shifts: [3, 9, 11, 15],
    order: [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15],
  },
] as const

export function md4(message: Uint8Array): Buffer {
  const padded = withPadding(message)
  let state: readonly [number, number, number, number] = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476]
  for (let offset = 0; offset < padded.length; offset += 64) {
    let [a, b, c, d] = state
    for (const { mix, add, shifts, order } of rounds) {
      for (const [step, word] of order.entries()) {
        const sum = (a + mix(b, c, d) + padded.readInt32LE(offset + word * 4) + add) | 0
        ;[a, b, c, d] = [d, rotate(sum, shifts[step % 4] ?? 0), b, c]
      }
    }
    state = [(state[0] + a) | 0, (state[1] + b) | 0, (state[2] + c) | 0, (state[3] + d) | 0]
  }
  const digest = Buffer.alloc(16)
  for (const [place, word] of state.entries()) digest.writeInt32LE(word, place * 4)
  return digest
}

/** Pads with a one bit, zeros, and the length in bits, to whole blocks of 64 bytes. */
function withPadding(message: Uint8Array): Buffer {
  const padded = Buffer.alloc(Math.ceil((message.length + 9) / 64) * 64)
  padded.set(message)
  padded[message.length] = 0x80
  padded.writeBigUInt64LE(BigInt(message.length) * 8n, padded.length - 8)
  return padded
}
