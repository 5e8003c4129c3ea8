import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

interface Lock {
  packages: Record<string, { version?: string; link?: true; dependencies?: Versions; devDependencies?: Versions }>
}
type Versions = Record<string, string>

const root = path.join(import.meta.dirname, '..')
const read = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), 'utf8'))
const { packages } = read('package-lock.json') as Lock
const tools = (read('tools/package-lock.json') as Lock).packages

/** Tests find the tools first, but TypeScript 5.9 is there on purpose, and tests import neither htmlparser2 nor libmime. */
const mayDiffer = ['typescript', 'htmlparser2', 'libmime']

test('a package that tools share with the server has the same version', () => {
  const workspaces = Object.entries(packages).filter(([name]) => !name.includes('node_modules'))
  const direct = workspaces.flatMap(([, each]) => Object.keys({ ...each.dependencies, ...each.devDependencies }))
  const shared = direct.filter((name) => tools[`node_modules/${name}`] && !mayDiffer.includes(name))
  const version = (name: string) => packages[`node_modules/${name}`]?.version
  expect(Object.fromEntries(shared.map((name) => [name, tools[`node_modules/${name}`]?.version]))).toEqual(
    Object.fromEntries(shared.map((name) => [name, version(name)])),
  )
})

test('empty workspaces take the place of the packages that the reference page does not load', () => {
  const names = globSync('packages/docs/unused/*/package.json', { cwd: root }).map(
    (file) => (read(file) as { name: string }).name,
  )
  const downloaded = Object.entries(packages).filter(
    ([place, { link }]) => names.some((name) => place.endsWith(`node_modules/${name}`)) && !link,
  )
  expect(names).toHaveLength(4)
  expect(downloaded).toEqual([])
})
