/**
 * The entry of the `waypost` command. What is compiled is kept beside the installed packages, where the next start finds it
 * in half the time; where nothing can be written there, it starts without.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/waypost', import.meta.url)))
const { run } = await import('./cli/run.ts')
process.exitCode = await run(process.argv.slice(2))
