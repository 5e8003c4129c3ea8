import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { citusExcluded, citusSuites } from '@waypost/testing/on-citus'
import { memoryFolder } from '@waypost/testing/peers/memory-folder'
import { configDefaults, defineConfig } from 'vitest/config'
import { skippedFiles } from './scripts/test-suite/missing-servers.ts'
import { LongestFirst } from './scripts/test-suite/order.ts'
import { SkippedReporter } from './scripts/test-suite/skipped-reporter.ts'
import { TimesReporter } from './scripts/test-suite/times-reporter.ts'

// For all that tests, their workers and the processes that they start write.
process.env.TMPDIR = memoryFolder()
const root = import.meta.dirname
// The processes that tests start share what they compile. Workers do not (see compile-cache.ts).
const compileCache = fileURLToPath(new URL('node_modules/.cache/waypost-test', import.meta.url))

const testFiles = ['packages/*/test/**/*.test.ts', 'scripts/*.test.ts']
const checkFiles = [...testFiles, 'packages/*/test/**/*.check.ts']
/** By mode, which is the level of the run (`packages/testing/src/level.ts`). */
const included: Record<string, string[]> = {
  check: checkFiles,
  full: [...checkFiles, 'packages/*/test/**/*.full.ts'],
  citus: citusSuites,
}

export default defineConfig(({ mode }) => {
  const level = mode in included ? mode : 'test'
  const include = included[level] ?? testFiles
  const excluded = level === 'citus' ? citusExcluded : []
  const files = globSync(include, { cwd: root, exclude: ['**/node_modules/**', ...excluded] })
  const skipped = skippedFiles(files, root)
  return {
    test: {
      include,
      exclude: [...configDefaults.exclude, ...excluded, ...skipped.map(({ file }) => file)],
      globalSetup: ['packages/testing/src/peers/global-setup.ts'],
      setupFiles: [
        'scripts/test-suite/compile-cache.ts',
        'scripts/test-suite/processor-time.ts',
        'packages/testing/src/limits.ts',
      ],
      env: { WAYPOST_TEST_LEVEL: level, WAYPOST_TEST_COMPILE_CACHE: compileCache },
      pool: 'forks',
      // The files of a worker share their modules: the server is imported once in each, and not once for each file.
      isolate: false,
      // More than there are processors: tests wait for servers and clocks half of their time. Each may hold a gigabyte.
      maxWorkers: 4,
      // Vitest shuffles files only where no order is set.
      sequence: process.argv.some((each) => each.startsWith('--sequence')) ? {} : { sequencer: LongestFirst },
      // No assertion: however busy the machine is, a test that goes on ends well.
      testTimeout: 120_000,
      hookTimeout: 180_000,
      expect: { poll: { timeout: 60_000 } },
      reporters: ['default', new TimesReporter(files.length), new SkippedReporter(skipped)],
      // Node reads the modules itself, as it does for users, and nothing is transformed.
      experimental: { viteModuleRunner: false },
      typecheck: { enabled: false },
    },
  }
})
