/** The package as users get it, in an empty project, on every supported runtime, and with common compilers. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openProject, run } from './packed/project.ts'
import { bun, deno, executable, nodes, oldestNode, type Runtime } from './packed/runtimes.ts'
import { expected, openProgramService, type ProgramService } from './packed/service.ts'
import { compilations, compilers, problemsIn, projects } from './packed/type-check.ts'
import { runInWorker } from './packed/worker.ts'

let project: Awaited<ReturnType<typeof openProject>>
let service: ProgramService
beforeAll(async () => {
  project = await openProject()
  service = await openProgramService()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await project[Symbol.asyncDispose]()
})

const commands: { runtime: Runtime; args: string[] }[] = [
  ...nodes.map((runtime) => ({ runtime, args: ['run.js'] })),
  { runtime: bun, args: ['run.js'] },
  { runtime: deno, args: ['run', '--allow-net=127.0.0.1', '--allow-env=PROGRAM_SETTINGS', '--no-remote', 'run.js'] },
]

test('the oldest Node is the one that the package declares', async () => {
  expect((await run(await executable(oldestNode), ['--version'])).stdout.trim()).toBe('v20.0.0')
})

describe('a program has the same output', () => {
  test.each(commands)('on $runtime.name', async ({ runtime, args }) => {
    const PROGRAM_SETTINGS = JSON.stringify(await service.settings())
    const env = { PROGRAM_SETTINGS, HOME: project.path }
    const { stdout } = await run(await executable(runtime), args, { cwd: project.path, env })
    expect(JSON.parse(stdout)).toEqual(expected)
  })

  test.each(nodes.slice(1))('to CommonJS on $name', async (runtime) => {
    const code = 'console.log(typeof require("@waypost/sdk").createWaypost)'
    const { stdout } = await run(await executable(runtime), ['--input-type=commonjs', '-e', code], {
      cwd: project.path,
    })
    expect(stdout.trim()).toBe('function')
  })

  test('in workerd, which has only web standards', async () => {
    expect(await runInWorker(project.path, await service.settings())).toEqual(expected)
  })
})

describe('a typed program compiles', () => {
  test.each(compilations)('with $compiler.name, $options.name', async ({ compiler, options }) => {
    expect(await problemsIn(project.path, compiler, options)).toBe('')
  })

  test('and its errors are found', async () => {
    const compiler = compilers.at(-1)
    const [options] = projects
    if (!compiler || !options) throw new Error('there is nothing to compile with')
    const wrong = {
      ...options,
      change: (code: string) => code.replace("'if-none-overlap': true", "'if-none-overlap': 'yes'"),
    }
    expect(await problemsIn(project.path, compiler, wrong)).toMatch(/TS2322/)
  })
})

const installed = (file: string): Promise<string> =>
  readFile(path.join(project.path, 'node_modules/@waypost/sdk', file), 'utf8')

test('the package has no dependencies and declares its runtimes', async () => {
  const manifest = JSON.parse(await installed('package.json'))
  expect(manifest).toMatchObject({
    name: '@waypost/sdk',
    type: 'module',
    license: 'Apache-2.0',
    engines: { node: '>=20' },
  })
  expect(Object.keys(manifest).filter((name) => /dependencies|scripts|private/i.test(name))).toEqual([])
  expect(await installed('LICENSE')).toContain('Apache License')
})

test('its README has no link that leads out of the package', async () => {
  const readme = await installed('README.md')
  expect(readme).toContain('`/docs/guides/calendars` of your service')
  expect(readme).not.toMatch(/\]\(\.\./)
})
