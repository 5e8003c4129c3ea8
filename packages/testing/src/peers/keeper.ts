/**
 * A small shell process that reads pids from a pipe of this process. When the pipe closes, because the keeper is
 * disposed or because the test run ended in any way, including SIGKILL, it ends the last pid.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Keeper extends AsyncDisposable {
  /** The process to end; undefined if none runs any more. */
  watch(pid: number | undefined): void
  /** This process may end while the keeper runs. */
  unref(): void
}

/** The script reads pids, one per line, until the end of its input; `$1` is the folder to remove then. */
export function startKeeper(script: string, folder: string): Keeper {
  const shell = spawn('sh', ['-c', script, 'keeper', folder], {
    cwd: '/',
    // So that Ctrl-C in the terminal ends the tests and not their keeper.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const exit = once(shell, 'exit')
  return {
    unref() {
      shell.unref()
      // A pipe, although the type does not say so.
      if ('unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref()
    },
    watch: (pid) => void shell.stdin.write(`${pid ?? ''}\n`),
    async [Symbol.asyncDispose]() {
      shell.stdin.end()
      await exit
    },
  }
}
