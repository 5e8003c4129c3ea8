import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { allocatorSettings, environmentToBeginWith } from '../../src/lib/allocator.ts'
import { textOf } from '../deploy/files.ts'
import { processEnvironment, programFile } from '../programs.ts'

test('a process begins anew with the settings of the allocator, once, and where nobody has set any', () => {
  const begun = environmentToBeginWith({ HOME: '/home' }, 'linux')
  expect(begun).toEqual({ HOME: '/home', ...allocatorSettings })
  expect(environmentToBeginWith({ ...begun }, 'linux')).toBeUndefined()
  expect(environmentToBeginWith({ LD_PRELOAD: 'libjemalloc.so' }, 'linux')).toBeUndefined()
  expect(environmentToBeginWith({ MALLOC_ARENA_MAX: '8' }, 'linux')).toBeUndefined()
  expect(environmentToBeginWith({}, 'darwin')).toBeUndefined()
})

test('the image and the unit begin with them', () => {
  for (const [name, value] of Object.entries(allocatorSettings)) {
    expect(textOf('Dockerfile')).toContain(` ${name}=${value} `)
    expect(textOf('deploy/systemd/waypost.service')).toContain(`Environment=${name}=${value}\n`)
  }
})

test.runIf(process.platform === 'linux')('a node has them, under the number that it was started with', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-allocator-'))
  const env = { ...processEnvironment, WAYPOST_PORT: '0', WAYPOST_DATA_DIR: folder.path }
  const child = spawn(process.execPath, [await programFile('waypost'), 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    let printed = ''
    for await (const chunk of child.stdout) {
      printed += chunk
      if (printed.includes('Dashboard')) break
    }
    const environment = (await readFile(`/proc/${child.pid}/environ`, 'utf8')).split('\0')
    for (const [name, value] of Object.entries(allocatorSettings)) expect(environment).toContain(`${name}=${value}`)
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
})
