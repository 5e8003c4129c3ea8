/**
 * The entry of the `waypost` command. Compiled code is cached next to the installed packages, which halves the time of the
 * next start. Where that folder cannot be written, the command starts without the cache.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/waypost', import.meta.url)))
const { run } = await import('./cli/run.ts')
process.exitCode = await run(process.argv.slice(2))
