/** A plain start on SQLite: the modules that it does not load, because each would cost time and memory; and its end. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { processEnvironment } from '@waypost/testing/programs'
import { expect, test } from 'vitest'

/** Loaded with the first account, message or connection that needs it. */
const laterPackages = ['pg', 'imapflow', 'oauth4webapi']
const laterModules = [
  'store/src/engine/postgresql.ts',
  'store/src/engine/postgresql-channel.ts',
  'server/src/cli/doctor/doctor.ts',
  'server/src/cli/program/reference.ts',
  'server/src/migration/import.ts',
]

/** Records the address of every module, and writes the list when the process ends. */
const noting = (file: string): string => `
  import { registerHooks } from 'node:module'
  import { writeFileSync } from 'node:fs'
  const urls = []
  registerHooks({ load(url, context, next) { urls.push(url); return next(url, context) } })
  process.on('exit', () => writeFileSync(${JSON.stringify(file)}, urls.join('\\n')))`

test('a start loads neither PostgreSQL, nor clients of mail servers, nor commands, and ends with 0 at a signal', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-modules-'))
  const noted = path.join(folder.path, 'modules.txt')
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
  const hook = `data:text/javascript,${encodeURIComponent(noting(noted))}`
  const child = spawn(process.execPath, ['--import', hook, main, 'serve'], {
    env: { ...processEnvironment, WAYPOST_PORT: '0', WAYPOST_DATA_DIR: path.join(folder.path, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  for await (const chunk of child.stdout) {
    printed += chunk
    if (printed.includes('Dashboard') && printed.includes('"msg":"listening"')) break
  }
  const [, port] = /"port":(\d+)/.exec(printed) ?? []
  // The connection stays open.
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([0, null])
  const loaded = (await readFile(noted, 'utf8')).split('\n')
  expect(loaded).toContainEqual(expect.stringMatching(/packages\/store\/src\/engine\/sqlite\.ts$/))
  const packages = laterPackages.filter((name) => loaded.some((url) => url.includes(`/node_modules/${name}/`)))
  const modules = laterModules.filter((name) => loaded.some((url) => url.endsWith(`packages/${name}`)))
  expect({ packages, modules }).toEqual({ packages: [], modules: [] })
})
