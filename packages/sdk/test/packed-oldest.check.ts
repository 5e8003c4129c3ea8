/** The package as users get it, in an empty project, on the oldest supported Node. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProject, run } from './packed/project.ts'
import { executable, oldestNode } from './packed/runtimes.ts'
import { expected, openProgramService, type ProgramService } from './packed/service.ts'

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

const installed = (file: string): Promise<string> =>
  readFile(path.join(project.path, 'node_modules/@waypost/sdk', file), 'utf8')

test('a program runs on the oldest Node', async () => {
  const PROGRAM_SETTINGS = JSON.stringify(await service.settings())
  const node = await executable(oldestNode)
  expect((await run(node, ['--version'])).stdout.trim()).toBe('v20.0.0')
  const { stdout } = await run(node, ['run.js'], { cwd: project.path, env: { PROGRAM_SETTINGS } })
  expect(JSON.parse(stdout)).toEqual(expected)
})

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
