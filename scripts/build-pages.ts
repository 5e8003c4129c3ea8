/**
 * Builds the pages that the server answers with: the dashboard, the reference and the guides. Does nothing where they are
 * newer than all that they are made of; `--force` builds them anyway.
 */
import { existsSync } from 'node:fs'
import { dashboard } from './pages/dashboard.ts'
import { guides } from './pages/guides.ts'
import { isCurrent, type PagePart } from './pages/part.ts'
import { reference } from './pages/reference.ts'

const isForced = process.argv.includes('--force')

async function make(part: PagePart): Promise<void> {
  const started = performance.now()
  const bytes = await part.build()
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${part.name} built in ${seconds} s: ${Math.round(bytes / 1024)} KB with gzip, all files together`)
}

// The guides last: their frame is built with the reference.
for (const part of [dashboard, reference, guides]) {
  if (!isForced && isCurrent(part)) continue
  try {
    await make(part)
  } catch (error) {
    const isMissingTool = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    // A machine that only serves does with the pages that it was given.
    if (!isMissingTool || !existsSync(part.built)) throw error
    console.warn(`${part.name}: older than its sources, and the tools that build it are not installed.`)
  }
}
