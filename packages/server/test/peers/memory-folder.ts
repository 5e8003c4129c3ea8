/** Where tests keep their files: in memory where the machine offers enough of it, since most of them wait for a disk. */
import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isWritable } from './debian.ts'

const memory = '/dev/shm'
const bytesNeeded = 3 * 1024 ** 3

export function memoryFolder(): string {
  if (!isWritable(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize >= bytesNeeded ? memory : tmpdir()
}
