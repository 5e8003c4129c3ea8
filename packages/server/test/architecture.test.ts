/**
 * Checks the order of packages and folders in ARCHITECTURE.md: every import goes to the left. The files are read with
 * regular expressions, so that the whole rule is visible here. Types count as much as values, because a type is
 * knowledge, too.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { providerKinds } from '@waypost/contract'
import { describe, expect, test } from 'vitest'
import { longFunctions, moduleState, sourceFiles } from './source-tree.ts'

const packages = fileURLToPath(new URL('../..', import.meta.url))

/** Those of helpers of tests have their own circles and lengths. */
const withSources = readdirSync(packages).filter((name) => name !== 'testing')

/** The packages that the service consists of, from left to right. */
const servicePackages = ['texts', 'platform', 'formats', 'scheduling', 'providers', 'store', 'server'] as const

/**
 * The order, from left to right. A package or a folder of the server may import itself and everything to its left;
 * those of the same step do not import one another. Files directly in `server/src` are listed with their extension.
 */
const line: readonly (readonly string[])[] = [
  ['texts'],
  ['platform'],
  ['formats'],
  ['scheduling'],
  ['providers'],
  ['store'],
  ['settings.ts'],
  ['config.ts'],
  ['telemetry'],
  ['supervisor'],
  ['applications'],
  ['grants', 'outbox'],
  ['sending', 'webhooks', 'migration', 'exports', 'conferences'],
  ['booking'],
  ['agents'],
  ['changes'],
  ['services'],
  ['api'],
  ['create-app.ts'],
  ['http-server.ts', 'housekeeping.ts'],
  ['node.ts'],
  ['cli'],
  ['main.ts'],
]

interface Import {
  from: string
  /** The text between `import` and `from`. */
  clause: string
  typeOnly: boolean
}
interface Source {
  /** `api/app.ts` in the server; `providers/io.ts` in another package. */
  file: string
  /** The package, or the first folder in the server. */
  place: string
  /** The text without comments. */
  code: string
  imports: Import[]
}

/** Removes comments, except for `//` in a URL inside a text. */
const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[\s;{(,])\/\/.*$/gm, '$1')

const statement = /(?:^|\n)\s*(?:import|export)\s+(type\s+)?([^'"`;]*?)\s*from\s+'([^']+)'/g
const bare = /(?:^|\n)\s*import\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*[,)]/g

function importsOf(code: string): Import[] {
  const named = Array.from(code.matchAll(statement), ([, type, clause = '', from = '']) => ({
    from,
    clause,
    typeOnly: type !== undefined,
  }))
  const plain = Array.from(code.matchAll(bare), ([, effect, dynamic]) => ({
    from: effect ?? dynamic ?? '',
    clause: '',
    typeOnly: false,
  }))
  return [...named, ...plain]
}

const read = new Map<string, Source[]>()

/** The sources of a folder, which are read once. */
function readSources(folder: string): Source[] {
  const known = read.get(folder)
  if (known) return known
  const found = sourceFiles(folder).map((file) => {
    const code = withoutComments(readFileSync(path.join(folder, file), 'utf8'))
    return { file, place: file.split(path.sep)[0] ?? '', code, imports: importsOf(code) }
  })
  read.set(folder, found)
  return found
}

/** What a package exports: the name that others import, and its file in `src`. */
function entriesOf(name: string): Map<string, string> {
  const { exports } = readManifest(name)
  const named = typeof exports === 'string' ? { '.': exports } : (exports ?? {})
  return new Map(
    Object.entries(named).flatMap(([entry, file]): [string, string][] => {
      if (!entry.endsWith('*')) return [[path.posix.join(`@waypost/${name}`, entry), file.slice('./src/'.length)]]
      const folder = path.posix.dirname(file)
      return sourceFiles(path.join(packages, name, folder))
        .map((each) => path.posix.join(...each.split(path.sep)))
        .map((each) => [
          `@waypost/${name}/${entry.slice(2, -1)}${each.slice(0, -'.ts'.length)}`,
          path.posix.join(folder.slice('./src'.length), each).replace(/^\//, ''),
        ])
    }),
  )
}

interface Manifest {
  exports?: string | Record<string, string>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}
const readManifest = (name: string): Manifest =>
  JSON.parse(readFileSync(path.join(packages, name, 'package.json'), 'utf8'))

const inService = (name: string, file: string): string => (name === 'server' ? file : path.join(name, file))
const sources = servicePackages.flatMap((name) =>
  readSources(path.join(packages, name, 'src')).map((source) => ({
    ...source,
    file: inService(name, source.file),
    place: name === 'server' ? source.place : name,
  })),
)
const entries = new Map(
  servicePackages.flatMap((name) =>
    Array.from(entriesOf(name), ([entry, file]): [string, string] => [entry, inService(name, path.normalize(file))]),
  ),
)
const stepOf = (place: string): number => line.findIndex((step) => step.includes(place))
/** The source file that an import names, or undefined for a package outside the service. */
const targetOf = (source: Source, { from }: Import): string | undefined =>
  from.startsWith('.') ? path.normalize(path.join(path.dirname(source.file), from)) : entries.get(from)

/** Whether the file is in the same package. */
const isInside = ({ place }: Source, target: string): boolean =>
  servicePackages.some((name) => name === place && name !== 'server')
    ? target.startsWith(place + path.sep)
    : !target.startsWith('..') && !servicePackages.some((name) => target.startsWith(name + path.sep))

/** Lines of code that match, as "file: line". */
const linesWith = (pattern: RegExp, except: (source: Source) => boolean): string[] =>
  sources
    .filter((source) => !except(source))
    .flatMap(({ file, code }) =>
      code
        .split('\n')
        .filter((text) => pattern.test(text))
        .map((text) => `${file}: ${text.trim()}`),
    )

/** Imports of the named packages, as "file imports package". */
const importsFrom = (pattern: RegExp, except: (source: Source, found: Import) => boolean): string[] =>
  sources.flatMap((source) =>
    source.imports
      .filter((found) => pattern.test(found.from) && !except(source, found))
      .map((found) => `${source.file} imports ${found.from}`),
  )

describe('the line of folders', () => {
  test('is read from sources that are really there', () => {
    expect(sources.length).toBeGreaterThan(50)
    const app = sources.find(({ file }) => file === path.join('api', 'app.ts'))
    expect(app?.imports.map(({ from }) => from)).toEqual(
      expect.arrayContaining(['@waypost/contract', './http/path-matcher.ts', '@waypost/platform/api-error']),
    )
  })

  test('has a place for every package, and for every folder and file of the server', () => {
    const unknown = [...new Set(sources.map(({ place }) => place))].filter((place) => stepOf(place) === -1)
    expect(unknown, 'decide where it stands and add it to `line` in this test and in ARCHITECTURE.md').toEqual([])
  })

  test('is never crossed to the right', () => {
    const crossings = sources.flatMap((source) =>
      source.imports.flatMap((found) => {
        const target = targetOf(source, found)
        if (target === undefined) return []
        const place = target.split(path.sep)[0] ?? ''
        const allowed = place === source.place || stepOf(place) < stepOf(source.place)
        return allowed ? [] : [`${source.file} imports ${target}`]
      }),
    )
    expect(crossings).toEqual([])
  })

  test.each(withSources)('has no circle in %s, types included', (name) => {
    const files = readSources(path.join(packages, name, 'src'))
    const targets = new Map(
      files.map((source) => [source.file, source.imports.flatMap((found) => targetOf(source, found) ?? [])]),
    )
    // Repeatedly removes files without remaining imports. The rest are files in a cycle, or files that import one.
    for (let size = -1; size !== targets.size; ) {
      size = targets.size
      for (const [file, imported] of targets) {
        if (!imported.some((target) => targets.has(target))) targets.delete(file)
      }
    }
    expect([...targets.keys()]).toEqual([])
  })

  test('is followed with the ending .ts inside a package, and without default exports', () => {
    const isText = (source: Source, from: string): boolean => source.place === 'texts' && from.endsWith('.json')
    const strange = sources.flatMap((source) =>
      source.imports
        .filter(({ from }) => from.startsWith('.') && !isText(source, from))
        .filter((found) => !found.from.endsWith('.ts') || !isInside(source, targetOf(source, found) ?? ''))
        .map(({ from }) => `${source.file} imports ${from}`),
    )
    expect(strange).toEqual([])
    expect(linesWith(/^export default\b/, () => false)).toEqual([])
  })

  test('passes from the providers to the store with types alone: the store implements their tables', () => {
    const values = sources
      .filter(({ place }) => place === 'store')
      .flatMap((source) => source.imports.map((found) => ({ found, target: targetOf(source, found) ?? '' })))
      .filter(
        ({ found, target }) => target.startsWith('providers') && !(found.typeOnly && /[\\/]tables\.ts$/.test(target)),
      )
    expect(values).toEqual([])
  })

  test('keeps the contract free of everything but zod and the types of texts', () => {
    const isTexts = ({ from, typeOnly }: Import): boolean => typeOnly && from.startsWith('@waypost/texts/')
    const foreign = readSources(path.join(packages, 'contract/src')).flatMap((source) =>
      source.imports
        .filter(({ from }) => from !== 'zod' && !/^\.{1,2}\/((scheduling|agents)\/)?[\w-]+\.ts$/.test(from))
        .filter((found) => !isTexts(found))
        .map(({ from }) => from),
    )
    expect(foreign).toEqual([])
  })

  test('keeps examples and schemas of the contract separate, so that importing one does not load the other', () => {
    const isExample = (file: string): boolean => file.startsWith('examples')
    const carried = readSources(path.join(packages, 'contract/src')).flatMap((source) =>
      source.imports
        .filter(({ typeOnly }) => !typeOnly)
        .map((found) => targetOf(source, found) ?? found.from)
        .filter((target) => isExample(source.file) !== isExample(target) && target !== 'notification-samples.ts')
        .map((target) => `${source.file} imports ${target}`),
    )
    expect(carried).toEqual([])
  })

  test('keeps the SDK free of everything, built-in modules of Node included', () => {
    const sdk = readSources(path.join(packages, 'sdk/src'))
    const foreign = sdk.flatMap(({ file, imports }) =>
      imports.filter(({ from }) => !from.startsWith('.')).map(({ from }) => `${file} imports ${from}`),
    )
    expect(sdk.length).toBeGreaterThan(10)
    expect(foreign).toEqual([])
  })

  test('keeps the simulators and the server independent of each other', () => {
    expect(importsFrom(/simulators|@waypost\/(sdk|dashboard)/, () => false)).toEqual([])
  })
})

/** The orders of folders in ARCHITECTURE.md, such as `formats: html | timezones < mime`, by the folder around them. */
const orders = new Map(
  Array.from(
    readFileSync(path.join(packages, '../ARCHITECTURE.md'), 'utf8').matchAll(/^([a-z/-]+): (.+ < .+)$/gm),
    ([, folder = '', steps = '']) => [folder, steps.split(' < ').map((step) => step.split(' | '))],
  ),
)

test('folders in the same folder import each other only to the left of their order in ARCHITECTURE.md', () => {
  expect(orders.size).toBeGreaterThan(10)
  const crossings = sources.flatMap((source) =>
    source.imports.flatMap((found) => {
      const target = targetOf(source, found) ?? ''
      const [from, to] = [source.file.split(path.sep), target.split(path.sep)]
      const depth = from.findIndex((part, index) => part !== to[index])
      // Files next to the folders belong to no order.
      if (depth < 1 || from.length <= depth + 1 || to.length <= depth + 1) return []
      const order = orders.get(from.slice(0, depth).join('/')) ?? []
      const [own, other] = [from, to].map((parts) => order.findIndex((step) => step.includes(parts[depth] ?? '')))
      return other !== -1 && other < own ? [] : [`${source.file} imports ${target}`]
    }),
  )
  expect(crossings).toEqual([])
})

/** `pages: account > sign-in` for an import from the folder account to its neighbor. */
function stepBetween(from: string, to: string): string | undefined {
  const [own, other] = [from, to].map((file) => file.split(path.sep)) as [string[], string[]]
  const depth = own.findIndex((part, index) => part !== other[index])
  if (own.length <= depth + 1 || other.length <= depth + 1) return undefined
  return `${own.slice(0, depth).join('/')}: ${own[depth]} > ${other[depth]}`
}

test.each(['dashboard', 'booking-page', 'docs', 'contract', 'sdk'])(
  'of two folders in the same folder of %s, at most one imports the other',
  (name) => {
    const steps = readSources(path.join(packages, name, 'src')).flatMap((source) =>
      source.imports
        .filter(({ from }) => from.startsWith('.'))
        .flatMap((found) => stepBetween(source.file, targetOf(source, found) ?? '') ?? []),
    )
    const both = steps.filter((step) => steps.includes(step.replace(/(\S+) > (\S+)$/, '$2 > $1')))
    expect([...new Set(both)], 'move what both need into one of them, or next to them').toEqual([])
  },
)

describe('the dependencies of a package', () => {
  const own = [...servicePackages, 'contract', 'sdk', 'simulators'] as const

  /** The packed simulators bring Temporal for Nodes without it. */
  const bundled = ['temporal-polyfill']

  /** `@waypost/store` for `@waypost/store/engine/database`; undefined for modules of Node and for files. */
  function packageOf(from: string): string | undefined {
    if (from.startsWith('.') || from.startsWith('node:')) return undefined
    return from
      .split('/')
      .slice(0, from.startsWith('@') ? 2 : 1)
      .join('/')
  }

  test.each(own)('name what %s imports, and nothing else', (name) => {
    const files = readSources(path.join(packages, name, 'src'))
    const imported = new Set(files.flatMap(({ imports }) => imports.flatMap(({ from }) => packageOf(from) ?? [])))
    const { dependencies = {}, devDependencies = {} } = readManifest(name)
    const types = files.flatMap(({ imports }) =>
      imports.filter((each) => each.typeOnly).map(({ from }) => packageOf(from)),
    )
    const allowed = new Set([
      ...Object.keys(dependencies),
      ...Object.keys(devDependencies).filter((each) => types.includes(each)),
    ])
    expect(
      [...imported].filter((each) => !allowed.has(each)),
      'add it to package.json',
    ).toEqual([])
    const unused = Object.keys(dependencies).filter((each) => !imported.has(each) && !bundled.includes(each))
    expect(unused, 'remove it from package.json').toEqual([])
  })

  test.each(servicePackages.slice(0, -1))('every entry of %s is imported by another package', (name) => {
    const folders = Object.keys(readManifest(name).exports ?? {}).filter((entry) => entry.endsWith('/*'))
    const named = Array.from(entriesOf(name).keys()).filter(
      (entry) => !folders.some((each) => entry.startsWith(`@waypost/${name}/${each.slice(2, -1)}`)),
    )
    const others = readdirSync(packages).filter((each) => each !== name)
    const imported = new Set(
      others.flatMap((other) =>
        readSources(path.join(packages, other, 'src')).flatMap(({ imports }) => imports.map(({ from }) => from)),
      ),
    )
    expect(
      named.filter((entry) => !imported.has(entry)),
      'remove it from exports',
    ).toEqual([])
  })
})

test('worker threads load no schemas and no log, so that they start quickly', () => {
  const loaded = new Set(['formats/parse-worker.ts', 'providers/answer-worker.ts', 'sending/compose/worker.ts'])
  const foreign = new Set<string>()
  // The set grows meanwhile.
  for (const name of loaded) {
    const source = sources.find(({ file }) => file === path.normalize(name))
    if (!source) throw new Error(`there is no ${name}`)
    for (const found of source.imports.filter(({ typeOnly }) => !typeOnly)) {
      const target = targetOf(source, found)
      if (target === undefined) foreign.add(found.from)
      else loaded.add(target)
    }
  }
  expect(loaded.size).toBeGreaterThan(50)
  expect(Array.from(foreign)).toContain('@waypost/contract/errors')
  expect(Array.from(foreign).filter((name) => ['zod', 'pino', '@waypost/contract'].includes(name))).toEqual([])
})

describe('one folder alone', () => {
  test('knows SQL: the store', () => {
    const statements = linesWith(
      /(['"`]|^)\s*(select\s.+\sfrom|insert\s+into|update\s+\w+\s+set|delete\s+from|create\s+(table|index)|alter\s+table|pragma)\s/i,
      ({ place }) => place === 'store',
    )
    expect(statements, 'move the statement to a file of packages/store').toEqual([])
    const makers = sources
      .filter(({ place }) => place !== 'store')
      .flatMap((source) =>
        source.imports
          .filter(({ from, clause }) => from === '@waypost/store/engine/database' && /\bsql\b/.test(clause))
          .map(() => `${source.file} makes statements of its own`),
      )
    expect(makers).toEqual([])
    expect(importsFrom(/^(pg|node:sqlite)$/, ({ place }) => place === 'store')).toEqual([])
  })

  test('reads the time and draws random numbers: platform', () => {
    const clocks = linesWith(
      /\bDate\.now\b|\bnew Date\(\s*\)|\bTemporal\.Now\b|\bprocess\.hrtime\b|\bMath\.random\b/,
      ({ place }) => place === 'platform',
    )
    // The store's own clock, to compare it with the machine's: on SQLite they are the same.
    expect(
      clocks.filter((text) => text !== `${path.join('store', 'engine', 'sqlite.ts')}: now: async () => Date.now(),`),
    ).toEqual([])
    const inPlatform = linesWith(
      /\bDate\.now\b|\bMath\.random\b|\bTemporal\.Now\b/,
      ({ place }) => place !== 'platform',
    )
    expect(inPlatform).toEqual([
      `${path.join('platform', 'clock.ts')}: export const systemClock: Clock = { now: () => Date.now() }`,
    ])
  })

  test('calls the global fetch: none', () => {
    expect(linesWith(/(^|[^.\w])fetch\(|\bglobalThis\.fetch\b|new WebSocket\(/, () => false)).toEqual([])
  })

  test('opens sockets: the egress of platform; the port listens', () => {
    const network = /^(node:(https?|http2|net|tls|dgram)|undici|ws|axios|node-fetch)(\/|$)/
    // Arithmetic on addresses, without a socket.
    const pure = /^\{( ?(BlockList|isIP|isIPv4|isIPv6),?)+ \}$/
    const strange = importsFrom(network, (source, found) => {
      if (/^platform[\\/]egress[\\/][\w-]+(\.d)?\.ts$/.test(source.file)) return true
      // The port, while the node waits for a schema change.
      if (source.file === path.join('api', 'http', 'starting-server.ts')) return true
      if (source.file === 'http-server.ts' || source.file === path.join('platform', 'listening.ts')) return true
      // It accepts connections, and passes them on to processes.
      if (source.place === 'supervisor') return found.typeOnly || source.file.endsWith('supervisor.ts')
      // Data from a connection is read by its types.
      if (source.file === path.join('api', 'http', 'node-http.ts')) return found.typeOnly
      return found.from === 'node:net' && pure.test(found.clause)
    })
    expect(strange).toEqual([])
  })

  test('uses private parts of imapflow: providers/imap/client', () => {
    const folder = path.join('providers', 'imap', 'client') + path.sep
    const isClient = ({ file }: Source): boolean => file.startsWith(folder)
    expect(
      importsFrom(
        /^imapflow\/|imap\/client\/internals\.ts$|client\/internals\.ts$/,
        (source, { typeOnly }) => typeOnly || isClient(source),
      ),
    ).toEqual([])
    // A cast of the public type is the only other way to reach a private part.
    const isMail = ({ file }: Source): boolean =>
      /^(?:providers[\\/](?:imap|smtp|icloud|yahoo|mail)|cli[\\/]doctor)[\\/]/.test(file)
    expect(
      linesWith(
        /\bas (?:unknown|any|never)\b|\bReflect\.|Object\.assign\(client\b/,
        (source) => isClient(source) || !isMail(source),
      ),
    ).toEqual([])
    const casts = linesWith(/as unknown as/, (source) => !isClient(source))
    expect(casts).toEqual([expect.stringContaining(path.join(folder, 'internals.ts'))])
  })

  test('knows HTTP in: the edge', () => {
    const edge = new Set(['api', 'create-app.ts', 'http-server.ts'])
    expect(importsFrom(/\bapi\/http\/(node-|web-)?http\.ts$/, ({ place }) => edge.has(place))).toEqual([])
  })

  test('names a provider in a condition: providers', () => {
    const kinds = Object.keys(providerKinds).join('|')
    const named = `['"\`](${kinds})['"\`]`
    const condition = new RegExp(
      `[!=]==?\\s*${named}|${named}\\s*[!=]==?|\\bcase\\s+${named}|\\((${named},?\\s*)+\\)|\\bif\\b.*${named}`,
    )
    expect(condition.test("if (provider === 'google') {")).toBe(true)
    expect(condition.test("case 'virtual-calendar':")).toBe(true)
    expect(condition.test("kinds.includes('imap')")).toBe(true)
    const strange = linesWith(condition, ({ place }) => place === 'providers')
    expect(strange, 'make the difference a function of the provider, or an entry of its table').toEqual([])
  })
})

describe('a function', () => {
  // A migration is SQL text, and a released one never changes.
  const isData = (found: string): boolean => found.startsWith('migrations')

  test.each(withSources)('has 80 lines at the most in %s', (name) => {
    const found = longFunctions(path.join(packages, name, 'src'), 80)
    expect(
      found.filter((each) => !(name === 'store' && isData(each))),
      'cut it into steps with names',
    ).toEqual([])
  })

  test('is found where it is long: the functions inside it count, those of the record that it returns do not', () => {
    const all = longFunctions(path.join(packages, 'server/src'), 40).map((each) => each.split(' ')[1])
    expect(all).toContain('createServices')
    expect(all).not.toContain('drafts')
  })
})

describe('state of a module', () => {
  const text = readFileSync(path.join(packages, '../docs/module-state.md'), 'utf8')
  const rows = text.split('\n').filter((row) => row.startsWith('| `'))
  const listed = rows.flatMap((row) => {
    const [, file = '', names = ''] = row.split('|').map((cell) => cell.replaceAll('`', '').trim())
    return names.split(', ').map((name) => `${file}: ${name}`)
  })

  test('is listed in docs/module-state.md, with the reason why each app does not have its own', () => {
    const states = servicePackages.flatMap((name) =>
      moduleState(path.join(packages, name, 'src')).map((found) => inService(name, found)),
    )
    expect(
      states.filter((state) => !listed.includes(state)),
      'add a row with the file, the name and the reason to docs/module-state.md, or move it into services/',
    ).toEqual([])
    expect(
      listed.filter((state) => !states.includes(state)),
      'remove it from docs/module-state.md',
    ).toEqual([])
    expect(rows.filter((row) => (row.split('|')[3] ?? '').trim().length < 20)).toEqual([])
  })
})

/** Numbers of threats and faults, and names of planning documents, which readers of this repository do not have. */
const foreignDocument = /\b[TF]-\d{2}\b|\b(?:contract|facts)-[a-z]+\.md\b|founding.document/i

test('comments and titles cite no documents that are not in the repository', () => {
  const folders = readdirSync(packages).flatMap((name) => [`${name}/src`, `${name}/test`])
  const citing = folders
    .flatMap((folder) =>
      sourceFiles(path.join(packages, folder))
        .filter((name) => name !== 'architecture.test.ts')
        .map((name) => path.join(folder, name)),
    )
    .filter((file) => foreignDocument.test(readFileSync(path.join(packages, file), 'utf8')))
  expect(citing).toEqual([])
})
