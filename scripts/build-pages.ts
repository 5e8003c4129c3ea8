/**
 * Builds the pages that the server serves: the dashboard, the booking page, the
 * reference and the guides. Skips a part that is newer than
 * all of its sources, unless `--force` is given.
 *
 * Each part is built by a process of its own (`--part <name>`), so that their memory does not add up.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bookingPage } from './pages/booking-page.ts'
import { dashboard } from './pages/dashboard.ts'
import { guides } from './pages/guides.ts'
import { isCurrent, type PagePart } from './pages/part.ts'
import { reference } from './pages/reference.ts'

/** The guides come last: their frame is built with the reference. */
const parts = [dashboard, bookingPage, reference, guides]

/**
 * Keeps the build of the reference below 500 MB: without these settings it needs 750. The bundler allocates with
 * mimalloc, which by default reserves memory early and returns it late, and more so with more threads.
 */
const memorySettings = {
  MIMALLOC_ARENA_EAGER_COMMIT: '0',
  MIMALLOC_PURGE_DELAY: '0',
  RAYON_NUM_THREADS: '2',
  ROLLDOWN_WORKER_THREADS: '2',
  UV_THREADPOOL_SIZE: '2',
}

async function build(part: PagePart): Promise<void> {
  const started = performance.now()
  const bytes = await part.build()
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024)
  console.log(`${part.name} built in ${seconds} s with ${megabytes} MB: ${Math.round(bytes / 1024)} KB with gzip`)
}

/** A machine without the build tools serves the pages that it has. */
async function buildIfPossible(part: PagePart): Promise<void> {
  try {
    await build(part)
  } catch (error) {
    const isMissingTool = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    if (!isMissingTool || !existsSync(part.built)) throw error
    console.warn(`${part.name}: older than its sources, and the tools that build it are not installed.`)
  }
}

const isForced = process.argv.includes('--force')
const named = parts.find(({ name }) => name === process.argv[process.argv.indexOf('--part') + 1])
if (named) await buildIfPossible(named)
else {
  for (const part of parts) {
    if (!isForced && isCurrent(part)) continue
    const args = ['--max-semi-space-size=4', fileURLToPath(import.meta.url), '--part', part.name]
    const { status } = spawnSync(process.execPath, args, {
      stdio: 'inherit',
      env: { ...memorySettings, ...process.env },
    })
    if (status !== 0) process.exit(status ?? 1)
  }
}
