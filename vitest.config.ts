import { defineConfig } from 'vitest/config'
import { memoryFolder } from './packages/server/test/peers/memory-folder.ts'

// For all that tests, their workers and the processes that they start write.
process.env.TMPDIR = memoryFolder()

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'scripts/*.test.ts'],
    globalSetup: ['packages/server/test/peers/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 4,
    // No assertion: however busy the machine is, a test that goes on ends well.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    reporters: ['default'],
    typecheck: { enabled: false },
  },
})
