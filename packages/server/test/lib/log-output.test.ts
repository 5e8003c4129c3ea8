import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'

/** Runs a program with the process's own log until it has written the lines, or has printed that it is done. */
async function outputOf(program: string, count = Number.POSITIVE_INFINITY): Promise<{ lines: string[]; said: string }> {
  const log = new URL('../../src/lib/log.ts', import.meta.url)
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
