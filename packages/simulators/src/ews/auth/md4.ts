// MD4 (RFC 1320), the hash of Windows passwords, and RC4, which encrypts keys in NTLM. OpenSSL no longer offers
// either.

const rounds = [
  { add: 0, order: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], shifts: [3, 7, 11, 19] },
  { add: 0x5a827999, order: [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15], shifts: [3, 5, 9, 13] },
  { add: 0x6ed9eba1, order: [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15], shifts: [3, 9, 11, 15] },
] as const

const MIX = [
  (x: number, y: number, z: number) => (x & y) | (~x & z),
  (x: number, y: number, z: number) => (x & y) | (x & z) | (y & z),
  (x: number, y: number, z: number) => x ^ y ^ z,
] as const

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits))

export function md4(input: Buffer): Buffer {
  const padding = Buffer.alloc(64 - ((input.length + 8) % 64))
  padding[0] = 0x80
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(input.length) * 8n)
  const message = Buffer.concat([input, padding, length])
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]
  for (let at = 0; at < message.length; at += 64) block(state, message.subarray(at, at + 64))
  const digest = Buffer.alloc(16)
  for (const [index, word] of state.entries()) digest.writeUInt32LE(word >>> 0, index * 4)
  return digest
}

function block(state: number[], bytes: Buffer): void {
  let [a = 0, b = 0, c = 0, d = 0] = state
  for (const [index, { add, order, shifts }] of rounds.entries()) {
    const mix = MIX[index] ?? MIX[0]
    for (const [step, word] of order.entries()) {
      const sum = (a + mix(b, c, d) + bytes.readUInt32LE(word * 4) + add) | 0
      ;[a, b, c, d] = [d, rotate(sum, shifts[step % 4] ?? 0), b, c]
    }
  }
  for (const [index, word] of [a, b, c, d].entries()) state[index] = ((state[index] ?? 0) + word) | 0
}

export function rc4(key: Buffer, input: Buffer): Buffer {
  const box = Uint8Array.from({ length: 256 }, (_, index) => index)
  const at = (index: number) => box[index & 255] ?? 0
  const swap = (i: number, j: number) => {
    const retained = at(i)
    box[i & 255] = at(j)
    box[j & 255] = retained
  }
  let j = 0
  for (let i = 0; i < 256; i++) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255
    swap(i, j)
  }
  j = 0
  return Buffer.from(
    input.map((byte, index) => {
      const i = (index + 1) & 255
      j = (j + at(i)) & 255
      swap(i, j)
      return byte ^ at(at(i) + at(j))
    }),
  )
}
