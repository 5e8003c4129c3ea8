/**
 * The entry of the `waypost` command. What is compiled is kept beside the installed packages, where the next start finds it
 * in half the time; where nothing can be written there, it starts without.
 *
 * The young part of the heap keeps the size that it begins with while a node starts: grown to sixteen megabytes a half by
 * that alone, it would stay resident. `serve` lets it grow again, by what requests need: small, it makes them twice as dear.
 *
 * A node begins once more before it loads anything, unless its environment says how memory is given back (allocator.ts).
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { beginAnew } from './lib/allocator.ts'

if (process.argv[2] === 'serve') beginAnew()

setFlagsFromString('--semi-space-growth-factor=1')

enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/waypost', import.meta.url)))
const { run } = await import('./cli/program/run.ts')
process.exitCode = await run(process.argv.slice(2))
