import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, existsSync, mkdtempDisposableSync, openSync, readSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openOutput } from '../src/log-output.ts'

/** Runs a program with the process's own log until it has written the lines, or has printed that it is done. */
async function outputOf(program: string, count = Number.POSITIVE_INFINITY): Promise<{ lines: string[]; said: string }> {
  const log = new URL('../src/log.ts', import.meta.url)
  const alive = 'setTimeout(() => undefined, 60_000)'
  const text = `import { createLog } from '${log}'; const log = createLog('info'); ${alive}; ${program}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], { stdio: ['pipe', 'pipe', 'pipe'] })
  let [lines, said] = ['', '']
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => {
      lines += chunk
      if (lines.split('\n').length > count) resolve()
    })
    child.stderr.on('data', (chunk) => {
      said += chunk
      if (said.includes('done')) resolve()
    })
    child.once('exit', () => resolve())
  })
  // These lines were written while the process continued.
  const written = lines
  child.kill('SIGKILL')
  return { lines: written.split('\n').filter(Boolean), said }
}

test('lines are written a moment later, without anything else being logged', async () => {
  const { lines } = await outputOf("for (let number = 0; number < 3; number++) log.info({ number }, 'one')", 3)
  expect(lines.map((line) => JSON.parse(line).number)).toEqual([0, 1, 2])
})

test('lines that arrive while others are being written are not lost', async () => {
  const program = `
    log.info({ number: 0, text: 'x'.repeat(300_000) }, 'long')
    setImmediate(() => log.info({ number: 1 }, 'short'))`
  const { lines } = await outputOf(program, 2)
  expect(lines.map((line) => JSON.parse(line).number)).toEqual([0, 1])
})

test('nothing is written while nothing is logged', async () => {
  const { said } = await outputOf(`
    const { createHook } = await import('node:async_hooks')
    log.info({}, 'one')
    let writes = 0
    setTimeout(() => createHook({ init: (id, type) => { if (type === 'FSREQCALLBACK') writes++ } }).enable(), 1_000)
    setTimeout(() => process.stderr.write(writes + ' writes, done'), 2_000)`)
  expect(said).toContain('0 writes')
})

test.for([
  ['exits', 'process.exit(3)', 3],
  ['fails', `log.fatal({}, 'it fails'); process.exit(4)`, 4],
  ['flushes what waits, and goes on', 'log.flush(); setTimeout(() => process.exit(5), 300)', 5],
] as const)('a process whose log is no longer read, and that %s, ends', async ([, program, code]) => {
  const log = new URL('../src/log.ts', import.meta.url)
  const text = `import { createLog } from '${log}'
    const log = createLog('info')
    // A line that was being written when the reader ended.
    log.info({}, 'before')
    process.stdin.on('end', () => { log.info({}, 'after'); ${program} }).resume()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdout.destroy()
  await once(child.stdout, 'close')
  child.stdin.end()
  expect(await once(child, 'exit')).toEqual([code, null])
})

test('a reader that reads nothing does not delay the end of a process', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'waypost-output-'))
  const path = join(folder.path, 'pipe')
  execFileSync('mkfifo', [path])
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  const output = openOutput(pipe)
  const line = `${'x'.repeat(999)}\n`
  for (let count = 0; count < 200; count++) output.write(line)
  output.flushSync()
  const taken = readSync(pipe, Buffer.alloc(1_000_000))
  expect(taken).toBeGreaterThan(60_000)
  closeSync(pipe)
})

test.runIf(existsSync('/dev/full'))('lines that a full disk refuses are dropped, and the process continues', () => {
  const full = openSync('/dev/full', 'w')
  const output = openOutput(full)
  for (const line of ['one\n', 'two\n']) {
    output.write(line)
    output.flushSync()
  }
  closeSync(full)
})
