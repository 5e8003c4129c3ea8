/**
 * How the C library gives memory back. Left to itself, glibc keeps what threads freed in arenas of their own, and takes the
 * largest block that was ever freed for the least that is worth giving back: one password that was hashed (19 MB), and
 * everything smaller stays resident for good. It reads these settings only when a process begins.
 */

/** Blocks from a megabyte on are given back when they are freed, and so is what lies free at the end of an arena. */
export const allocatorSettings = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '1048576',
  MALLOC_TRIM_THRESHOLD_: '1048576',
} as const

/** What an operator has set, who then knows better; `LD_PRELOAD` is how another allocator is put in place of this one. */
const ownSettings = [...Object.keys(allocatorSettings), 'GLIBC_TUNABLES', 'LD_PRELOAD']

/** The environment in which a long-lived process begins anew; none where this one is right. */
export function environmentToBeginWith(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): Record<string, string | undefined> | undefined {
  if (platform !== 'linux' || ownSettings.some((name) => env[name] !== undefined)) return undefined
  return { ...env, ...allocatorSettings }
}

/** Puts the same command, under the same number, in the place of this process where its environment is not right. */
export function beginAnew(): void {
  const env = environmentToBeginWith(process.env, process.platform)
  if (env) process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], env)
}
