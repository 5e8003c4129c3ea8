/**
 * Runs in every test file: the processes that tests start use a compile cache. The worker itself must not: it would write
 * thousands of files when it ends, for longer than vitest waits for it.
 */
process.env.NODE_COMPILE_CACHE = process.env.WAYPOST_TEST_COMPILE_CACHE
