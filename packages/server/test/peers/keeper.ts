/**
 * A small shell process that reads from a pipe we hold and is told what runs. When the pipe closes, because the keeper
 * is disposed or because the test run ended in any way, SIGKILL included, it ends what it last heard of.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Keeper extends AsyncDisposable {
  /** Whom to end; undefined when nothing runs any more. */
  watch(pid: number | undefined): void
  /** This process may end while the keeper runs. */
  unref(): void
}

/** The script reads pids, each on a line of its own, until the end of its input; `$1` is the folder to remove then. */
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
      // A pipe, which the type does not say.
      if ('unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref()
    },
    watch: (pid) => void shell.stdin.write(`${pid ?? ''}\n`),
    async [Symbol.asyncDispose]() {
      shell.stdin.end()
      await exit
    },
  }
}
