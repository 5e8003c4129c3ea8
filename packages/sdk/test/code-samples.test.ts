/** The programs in the OpenAPI document compile: those with our client, and those with the published one. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { contract } from '@waypost/contract'
import { providers } from '@waypost/providers/registry'
import { expect, test } from 'vitest'
import { openApiDocument } from '../../server/src/api/openapi/document.ts'

interface Operation {
  operationId: string
  'x-codeSamples'?: { label: string; source: string }[]
}
interface Program {
  name: string
  source: string
}

const root = fileURLToPath(new URL('../../../', import.meta.url))
const document = openApiDocument(contract, { providers, baseUrl: 'http://127.0.0.1:3000' })
const operations = Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap(Object.values)

const programs = (label: string): Program[] =>
  operations.flatMap((operation: Operation) =>
    (operation['x-codeSamples'] ?? [])
      .filter((sample) => sample.label === label)
      .map(({ source }) => ({ name: operation.operationId, source })),
  )

/** The compiler's messages for programs, each in its own file, among our packages. */
async function compile(files: readonly Program[]): Promise<string[]> {
  const cache = path.join(import.meta.dirname, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  // The compiler names files by their real path, and `node_modules` may be a link.
  const folder = realpathSync(mkdtempSync(path.join(cache, 'code-samples-')))
  try {
    for (const { name, source } of files) writeFileSync(path.join(folder, `${name}.ts`), source)
    // As bundlers and runtimes resolve: the types of the published client are not written for Node's own way.
    const resolution = { module: 'esnext', moduleResolution: 'bundler' }
    const compilerOptions = { ...resolution, noUnusedLocals: false, incremental: false, tsBuildInfoFile: null }
    const config = { extends: path.join(root, 'tsconfig.json'), compilerOptions, include: ['*.ts'], exclude: [] }
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config))
    const output = await new Promise<string>((done) => {
      const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
      execFile(process.execPath, [tsc, '-p', folder], { cwd: folder }, (_, out, err) => done(out + err))
    })
    return output.split('\n').filter(Boolean)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('programs with the SDK and with the published client compile', async () => {
  const named = (label: string, suffix: string): Program[] =>
    programs(label).map(({ name, source }) => ({ name: `${name}.${suffix}`, source }))
  const all = [...named('Waypost SDK', 'waypost'), ...named('Nylas SDK', 'nylas')]
  const wrong = { name: 'wrong', source: all[0]?.source.replace(/await waypost\.\w+/, 'await waypost.nothing') ?? '' }
  const problems = await compile([...all, wrong])
  expect(problems.filter((line) => line.startsWith('wrong.ts'))).toHaveLength(1)
  expect(problems.filter((line) => !line.startsWith('wrong.ts'))).toEqual([])
})
