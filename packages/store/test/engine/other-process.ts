import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** A process that runs each line of its input as SQL on a file, and prints a line once it is committed. */
export async function openOther(at: string): Promise<AsyncDisposable & { commit(text: string): Promise<void> }> {
  const program = `
    const database = new (require('node:sqlite').DatabaseSync)(process.argv[1], { timeout: 5000 })
    require('node:readline').createInterface({ input: process.stdin }).on('line', (text) => {
      database.exec(text)
      console.log('committed')
    })`
  const child: ChildProcess = spawn(process.execPath, ['-e', program, at], { stdio: ['pipe', 'pipe', 'inherit'] })
  return {
    async commit(text) {
      child.stdin?.write(`${text}\n`)
      if (child.stdout) await once(child.stdout, 'data')
    },
    async [Symbol.asyncDispose]() {
      child.stdin?.end()
      await once(child, 'exit')
    },
  }
}
