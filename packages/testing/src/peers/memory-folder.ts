/** The folder for the files of tests: in memory if the machine has enough of it, since most tests wait for a disk. */
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
