/** Rules for every file of tests. Read as text: a rule is one regular expression or one small function. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const files = globSync(['packages/*/test/**/*.ts', 'packages/testing/src/**/*.ts', 'scripts/*.test.ts'], { cwd: root })
  .filter((file) => !file.includes('node_modules'))
  .map((file) => ({ file: file.replaceAll(path.sep, '/'), text: readFileSync(path.join(root, file), 'utf8') }))

interface Rule {
  rule: string
  /** The parts of a file that break the rule. */
  broken(text: string): string[]
  /** All files when left out. */
  of?: RegExp
  /** Files, or folders with a slash at the end, that may break the rule, and why. */
  exceptions: Record<string, string>
}

const linesWith = (pattern: RegExp) => (text: string) =>
  text.split('\n').flatMap((line) => (pattern.test(line) ? [line.trim()] : []))

const isTestFile = /\.(test|check|full)\.ts$/

interface Title {
  kind: string
  /** With the titles of the blocks around it. */
  full: string
  title: string
}

/** The titles that stand in the text. The indentation of a title says which blocks it is in. */
function titlesOf(text: string): Title[] {
  const call =
    /^( *)(?:(describe|test)\b(?:\.\w+(?:<.*>)?(?:\(.*\))?)*|[\])}]+|.*\)\))\(\s*(['"`])((?:\\.|(?!\3).)*)\3,/gm
  const blocks: { depth: number; title: string }[] = []
  return Array.from(text.matchAll(call), ([, indent = '', kind = 'test', , title = '']) => {
    while ((blocks.at(-1)?.depth ?? -1) >= indent.length) blocks.pop()
    blocks.push({ depth: indent.length, title })
    return { kind, title, full: blocks.map((block) => block.title).join(' > ') }
  })
}

function badTitles(text: string): string[] {
  const titles = titlesOf(text).filter(({ title }) => !/[%$]/.test(title))
  const names = titles.map(({ full }) => full)
  return titles
    .filter(({ kind, title, full }) => {
      const isWord = kind === 'test' && !title.trim().includes(' ')
      return (
        title.trim() === '' || isWord || /\bshould\b/.test(title) || names.indexOf(full) !== names.lastIndexOf(full)
      )
    })
    .map(({ full }) => full)
}

const rules: Rule[] = [
  {
    rule: 'tests wait for conditions, and not for times',
    broken: linesWith(
      /^(?!.*\b(?:while|for) \().*(?:(?:await|=|,|=>) (?:sleep|pause|delay|(?<=await )setTimeout|scheduler\.wait)\((?!0?\))|setTimeout\((?:resolve|\(\) => resolve))/,
    ),
    exceptions: {
      'packages/sdk/test/packed/worker.ts': 'tries a port until something listens',
      'packages/server/test/api/http/raw-http.ts': 'a client may pause between the parts of its request',
      'packages/server/test/api/pipeline/idempotency-kills.check.ts': 'repeats a request as a client does',
      'packages/server/test/faults/': 'processes are killed at random times, and load has a rate',
      'packages/server/test/migration/command.test.ts': 'load has a rate',
      'packages/server/test/supervisor/processes.check.ts': 'load has a rate',
      'packages/testing/src/peers/daemon.ts':
        'tries a port until the server listens, and ends a server that does not stop',
      'packages/testing/src/peers/dovecot.ts': 'Dovecot reads its users again in the next second',
      'packages/testing/src/peers/postgres.ts': 'tries the server until it answers',
      'packages/testing/src/programs.ts': 'polls for a folder that another process makes',
      'packages/server/test/releases/fill-store.ts': 'polls the API of a server of an earlier release',
      'packages/server/test/secrets-at-rest.test.ts': 'requests arrive while the key is rotated',
      'packages/server/test/store/engine/failover.check.ts': 'shows that a commit no longer waits',
      'packages/server/test/store/engine/work-signals.check.ts': 'counts the queries of a time on a real PostgreSQL',
      'packages/store/test/sharding/notification-order.check.ts': 'writers commit out of order',
      'packages/server/test/store/tables/nodes.check.ts': 'load on processes, which are polled until they are ready',
    },
  },
  {
    rule: 'the level of the run decides how often a property is tried: `runs(n)` of level.ts',
    broken: linesWith(/\bnumRuns: *\d/),
    exceptions: {},
  },
  {
    rule: 'no assertion compares how long something took',
    broken: linesWith(/\bexpect\(.*\b(?:performance|Date)\.now\(\) - [a-z]\w*\)/),
    exceptions: {
      'packages/providers/test/shared/exchange.test.ts': 'a lower bound: the delay is kept',
      'packages/simulators/test/frame.test.ts': 'a lower bound: the answer is slow',
      'packages/simulators/test/graph-throttle.test.ts': 'a lower bound: the answer is slow',
    },
  },
  {
    rule: 'titles are statements: no "should", not empty, no single word, none twice in a block',
    broken: badTitles,
    of: isTestFile,
    exceptions: {},
  },
  {
    rule: 'files that declare tests assert something',
    broken: (text) => (/^\s*test\b.*\(/m.test(text) && !/\b(?:expect|assert)/.test(text) ? ['no assertion'] : []),
    of: isTestFile,
    exceptions: {},
  },
  {
    rule: 'what runs a shell or curl in `npm test` is skipped where they are missing: `runGuide`, `needsProgram`',
    broken: (text) => (/\bneedsProgram\(/.test(text) ? [] : linesWith(/\(\s*'(?:bash|curl)',/)(text)),
    of: /\.test\.ts$/,
    exceptions: {},
  },
  {
    rule: '`npm test` needs no browser',
    broken: linesWith(/ from '(?:playwright-core|.*peers\/browser\.ts|.*dashboard\/test\/dashboard\.ts)'/),
    of: /\.test\.ts$/,
    exceptions: {},
  },
]

describe.each(rules)('$rule', ({ broken, of = /./, exceptions }) => {
  const found = files.flatMap(({ file, text }) => (of.test(file) ? broken(text).map((part) => ({ file, part })) : []))
  const isFor = (file: string) => (exception: string) =>
    exception.endsWith('/') ? file.startsWith(exception) : file === exception

  test('holds for every file that is no exception', () => {
    const others = found.filter(({ file }) => !Object.keys(exceptions).some(isFor(file)))
    expect(others.map(({ file, part }) => `${file}: ${part}`)).toEqual([])
  })

  test('has no exceptions that no file needs', () => {
    const isNeeded = (exception: string) => found.some(({ file }) => isFor(file)(exception))
    expect(Object.keys(exceptions).filter((exception) => !isNeeded(exception))).toEqual([])
  })
})
