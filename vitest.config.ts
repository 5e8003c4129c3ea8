import { totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { citusExcluded, citusSuites } from './packages/server/test/on-citus.ts'
import { memoryFolder } from './packages/server/test/peers/memory-folder.ts'
import { FailedFilesReporter } from './scripts/test-times/failed-files.ts'
import { LongestFirst } from './scripts/test-times/order.ts'
import { TimesReporter } from './scripts/test-times/reporter.ts'

// For all that tests, their workers and the processes that they start write.
process.env.TMPDIR = memoryFolder()
// The processes that tests start share what they compile. Workers do not (see compile-cache.ts).
const compileCache = fileURLToPath(new URL('node_modules/.cache/waypost-test', import.meta.url))

const allTests = ['packages/*/test/**/*.test.ts', 'scripts/*.test.ts']
/** By mode: `npm run check` adds fault runs of many processes, and the suites of mail at further mail servers. */
const included: Record<string, string[]> = { check: [...allTests, 'packages/*/test/**/*.check.ts'], citus: citusSuites }

export default defineConfig(({ mode }) => ({
  test: {
    include: included[mode] ?? allTests,
    exclude: [...configDefaults.exclude, ...(mode === 'citus' ? citusExcluded : [])],
    globalSetup: ['packages/server/test/peers/global-setup.ts'],
    setupFiles: ['scripts/test-times/compile-cache.ts', 'scripts/test-times/cpu.ts', 'packages/server/test/limits.ts'],
    env: { WAYPOST_TEST_MODE: mode, WAYPOST_TEST_COMPILE_CACHE: compileCache },
    pool: 'forks',
    // The files of a worker share their modules: the server is imported once in each, and not once for each file.
    isolate: false,
    // More than there are processors: tests wait for servers and clocks half of their time. Each may hold a gigabyte.
    maxWorkers: totalmem() > 12 * 1024 ** 3 ? 6 : 4,
    // Vitest shuffles files only where no order is set.
    sequence: process.argv.some((each) => each.startsWith('--sequence')) ? {} : { sequencer: LongestFirst },
    // No assertion: however busy the machine is, a test that goes on ends well.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', new TimesReporter(), new FailedFilesReporter()],
    // Node reads the modules itself, as it does for users, and nothing is transformed.
    experimental: { viteModuleRunner: false },
    typecheck: { enabled: false },
  },
}))
