/** What an editor shows for the SDK, queried from TypeScript 5 as editors do, and the names that programs import. */
import path from 'node:path'
import { contract, routesOf } from '@waypost/contract'
import ts from 'typescript'
import { beforeAll, expect, test } from 'vitest'

const folder = path.join(import.meta.dirname, '..')
const file = path.join(folder, 'test/edited.ts')
const code = `import { createWaypost } from '../src/index.ts'
import type { Event } from '../src/index.ts'
import type { Waypost } from '../../contract/src/index.ts'
const waypost = createWaypost()
waypost.events.list({ grant_id: 'g', query: { calendar_id: 'c', expand_recurring: true } })
waypost.events.get({ grant_id: 'g', event_id: 'e', query: { calendar_id: 'c' } })
waypost.events.list.all({ grant_id: 'g', query: { calendar_id: 'c' } })
declare const event: Event
event.recurrence
export type { Waypost }
`

let service: ts.LanguageService
beforeAll(() => {
  service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const text = name === file ? code : ts.sys.readFile(name)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => ({
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      allowImportingTsExtensions: true,
      noEmit: true,
      strict: true,
      types: [],
    }),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  })
})

/** The hover text of the last word of a text. */
function shown(text: string): { type: string; words: string } {
  const at = code.indexOf(text) + text.length - 1
  const info = service.getQuickInfoAtPosition(file, at)
  const joined = (parts: ts.SymbolDisplayPart[] | undefined): string =>
    ts.displayPartsToString(parts).replace(/\s+/g, ' ')
  return { type: joined(info?.displayParts), words: joined(info?.documentation) }
}

test('over an operation: its description, and the names of its input and output', () => {
  const { list, get } = contract.events
  const listed = shown('waypost.events.list')
  expect(listed.words).toContain(list.summary)
  expect(listed.words).toContain('GET /v3/grants/{grant_id}/events')
  expect(listed.type).toContain('args: EventsListArguments')
  expect(listed.type).toContain('Promise<ListResult<Event>>')
  expect(shown('waypost.events.get').words).toContain(get.summary)
  expect(shown('waypost.events.list.all').words).toContain('every item, page after page')
})

test('over a field of a request and of a response: its description', () => {
  const { expand_recurring } = contract.events.list.query.shape
  expect(expand_recurring.description).toBeTruthy()
  expect(shown('expand_recurring').words).toBe(expand_recurring.description)
  const { recurrence } = contract.events.list.returns.shape
  expect(recurrence.description).toBeTruthy()
  expect(shown('event.recurrence').words).toBe(recurrence.description)
  expect(shown('{ grant_id').words).toMatch(/grant/i)
})

test('while a call is written: the description and the one argument', () => {
  const { items = [], selectedItemIndex = 0 } =
    service.getSignatureHelpItems(file, code.indexOf('waypost.events.list(') + 'waypost.events.list('.length, {}) ?? {}
  const item = items[selectedItemIndex]
  expect(ts.displayPartsToString(item?.documentation)).toContain(contract.events.list.summary)
  expect(item?.parameters.map(({ name }) => name)).toEqual(['args'])
})

/** Internal types of the contract: routes as data, and the service's own form of a request. */
const unneeded =
  /^(?:Route|KeyedRoute|UnkeyedRoute|RouteRight|Method|Audience|RateGroup|Params|Query|RequestHeaders|Body|BodySchema|Item|Contract|NamedRoute|Waypost|ShownEvent|MetadataPair|Unavailable|NotificationProduct)$/

test('every type of the contract has a name in the SDK, and every operation names its input', () => {
  const program = service.getProgram()
  const checker = program?.getTypeChecker()
  const namesIn = (name: string): string[] => {
    const source = program?.getSourceFile(path.join(folder, name))
    const module = source && checker?.getSymbolAtLocation(source)
    const symbols = module ? checker?.getExportsOfModule(module) : []
    const resolved = (symbol: ts.Symbol): ts.Symbol =>
      symbol.flags & ts.SymbolFlags.Alias ? (checker?.getAliasedSymbol(symbol) ?? symbol) : symbol
    return (symbols ?? []).filter((symbol) => resolved(symbol).flags & ts.SymbolFlags.Type).map(({ name }) => name)
  }
  const given = namesIn('../contract/src/index.ts').filter((name) => !unneeded.test(name))
  const exported = new Set(namesIn('src/index.ts'))
  expect(given.length).toBeGreaterThan(100)
  expect(given.filter((name) => !exported.has(name))).toEqual([])
  const taken = routesOf(contract).map(
    ({ id }) => `${id.replaceAll(/(?:^|\.)(\w)/g, (_, letter) => letter.toUpperCase())}Arguments`,
  )
  expect(taken.filter((name) => !exported.has(name))).toEqual([])
})

test('the sample program has no errors', () => {
  const found = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)]
  expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))).toEqual([])
})
