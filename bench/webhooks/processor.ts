/** Processor time of the PostgreSQL processes that serve connections; its background work varies and is excluded. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { PostgresPeer } from '@waypost/testing/peers/postgres'

const tickMs = 10
/** The title of such a process contains the address of its client. */
const serves = /127\.0\.0\.1\(\d+\)/

async function timesOf(postgres: PostgresPeer): Promise<Map<string, number>> {
  const files = await readdir(postgres.folder, { recursive: true })
  const file = files.find((each) => path.basename(each) === 'postmaster.pid') ?? ''
  const first = (await readFile(path.join(postgres.folder, file), 'utf8')).split('\n')[0]
  const times = new Map<string, number>()
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const read = (name: string): Promise<string> => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')
    const fields = (await read('stat')).split(') ')[1]?.split(' ') ?? []
    if (fields[1] !== first || !serves.test(await read('cmdline'))) continue
    times.set(pid, (Number(fields[11]) + Number(fields[12])) * tickMs)
  }
  return times
}

/** Starts counting; the returned function reports the milliseconds spent since by processes that still exist. */
export async function countProcessor(postgres: PostgresPeer | undefined): Promise<() => Promise<number>> {
  if (!postgres) return async () => 0
  const before = await timesOf(postgres)
  return async () => {
    let sum = 0
    for (const [pid, ms] of await timesOf(postgres)) sum += ms - (before.get(pid) ?? 0)
    return sum
  }
}
