/** The disk of the SQLite file fills up under load, and has space again later. */
import { execFile } from 'node:child_process'
import { mkdtemp, open, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { conclude, figuresOf, type Outcome, type Scenario, seconds } from '../scenario.ts'
import { openSite } from '../site.ts'
import { startWriter } from '../writer.ts'

const run = promisify(execFile)

/** A small file system; undefined if we lack the permission to create one. */
async function smallDisk(): Promise<({ folder: string } & AsyncDisposable) | undefined> {
  const folder = await mkdtemp(path.join(tmpdir(), 'waypost-disk-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=96m,mode=700', 'tmpfs', folder])
  } catch {
    await rmdir(folder)
    return undefined
  }
  return {
    folder,
    async [Symbol.asyncDispose]() {
      await run('umount', [folder])
      await rmdir(folder)
    },
  }
}

/** Writes until there is no space for another byte. */
async function fill(file: string): Promise<void> {
  await using filler = await open(file, 'a')
  for (let size = 1_048_576; size >= 1; ) {
    try {
      if ((await filler.write(Buffer.alloc(size))).bytesWritten < size) size >>= 1
    } catch {
      size >>= 1
    }
  }
}

export const fullDisk: Scenario = {
  name: 'full-disk',
  what: 'the disk under the SQLite file fills up, and has room again',
  async run(stage): Promise<Outcome> {
    const { short } = stage
    await using disk = await smallDisk()
    if (!disk) return { figures: { skipped: 'no file system may be mounted here' }, broken: [] }
    await using site = await openSite({ dataDir: path.join(disk.folder, 'data'), destinations: 3 })
    const node = await site.start('api', 'worker')
    await site.settle()
    const writer = startWriter(site, { rate: 15 })
    const refused = () => writer.changes.filter(({ status = 0 }) => status >= 500)
    const broken: string[] = []
    const filler = path.join(disk.folder, 'filler')
    const back: number[] = []
    const faults = []
    for (let round = 0; round < (short ? 1 : 2); round++) {
      await writer.more(10)
      const from = performance.now()
      await fill(filler)
      const before = refused().length
      let unready = 0
      const isOver = (): boolean =>
        performance.now() - from > (short ? 2_000 : 5_000) &&
        ((refused().length > before && unready > 0) || performance.now() - from > 60_000)
      for (; !isOver(); await sleep(100)) {
        await fill(filler)
        if ((await site.call('GET', '/ready')).status === 503) unready++
      }
      if (unready === 0) broken.push('/ready stayed 200 on a full disk')
      if (refused().length === before) broken.push('a full disk refused nothing')
      await rm(filler)
      const to = performance.now()
      await writer.more(1)
      for (const at = performance.now(); (await site.call('GET', '/ready')).status !== 200; await sleep(100)) {
        if (performance.now() - at < 120_000) continue
        broken.push('/ready did not come back with the room')
        break
      }
      back.push(performance.now() - to)
      faults.push({ from, to: performance.now() + 6_000 })
    }
    const verdict = await conclude(stage, { site, writer, faults })
    const odd = writer.changes.filter(({ status = 0 }) => status >= 300 && status !== 503 && status !== 507)
    if (odd.length > 0) broken.push(`refused otherwise than with 503 or 507: ${JSON.stringify(odd[0])}`)
    if (verdict.unanswered > 0) broken.push(`${verdict.unanswered} requests were not answered`)
    if (!node.isAlive()) broken.push('the node ended')
    return {
      figures: {
        'times full': faults.length,
        ...figuresOf(verdict),
        refused: refused().length,
        'back at most, s': seconds(Math.max(...back)),
      },
      broken: [...broken, ...verdict.broken],
    }
  },
}
