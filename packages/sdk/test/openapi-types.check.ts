/** Types generated from the OpenAPI document compile with a common TypeScript version. */
import { contract } from '@waypost/contract'
import { providers } from '@waypost/providers/registry'
import openapiTypeScript, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { openApiDocument } from '../../server/src/api/openapi/document.ts'

const usage = `
import type { components, operations, paths } from './api.js'

export const body: operations['events.create']['requestBody']['content']['application/json'] = {
  title: 'Walk',
  when: { start_time: 1747036800, end_time: 1747040400 },
}
type Created = paths['/v3/grants/{grant_id}/events']['post']['responses'][200]['content']['application/json']
export const titleOf = ({ data }: Created): string | null | undefined => data.title
export const failure: components['schemas']['Error']['error']['type'] = 'not_found_error'
// @ts-expect-error an event has a time
export const without: typeof body = { title: 'Walk' }
// @ts-expect-error there is no such error
export const unknown: typeof failure = 'teapot'
`

/** The compiler's messages for files in memory. */
function problemsIn(files: ReadonlyMap<string, string>): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2022.d.ts'],
    // The compiler's own declarations are no subject.
    skipDefaultLibCheck: true,
    types: [],
  }
  const host = ts.createCompilerHost(options)
  const read = host.readFile.bind(host)
  const find = host.getSourceFile.bind(host)
  host.readFile = (name) => files.get(name) ?? read(name)
  host.fileExists = (name) => files.has(name) || ts.sys.fileExists(name)
  host.directoryExists = (name) => name === '/made' || ts.sys.directoryExists(name)
  host.getSourceFile = (name, version, ...rest) => {
    const text = files.get(name)
    return text === undefined ? find(name, version, ...rest) : ts.createSourceFile(name, text, version)
  }
  const program = ts.createProgram([...files.keys()], options, host)
  expect(program.getSourceFiles().map(({ fileName }) => fileName)).toEqual(expect.arrayContaining([...files.keys()]))
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
}

test('types that openapi-typescript generates from the document compile, and match the API', async () => {
  const document = openApiDocument(contract, { providers, baseUrl: 'http://127.0.0.1:3000' })
  const types = astToString(await openapiTypeScript(structuredClone(document) as never))
  expect(
    problemsIn(
      new Map([
        ['/made/api.d.ts', types],
        ['/made/usage.ts', usage],
      ]),
    ),
  ).toEqual([])
})
