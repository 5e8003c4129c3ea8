/** The parts of the suite's own tools that decide what runs, in which order, and when a run fails. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { needs } from '@waypost/testing/peers/needs'
import { describe, expect, test } from 'vitest'
import { compareBudgets, readBudgets } from './test-suite/budgets.ts'
import { skippedFiles } from './test-suite/missing-servers.ts'
import { importers, nearestTests, withinBudget, wordsOf } from './test-suite/nearest.ts'
import { longestFirst, shardsOf } from './test-suite/order.ts'
import { type FileTimes, folderOf } from './test-suite/report.ts'
import { skippedText } from './test-suite/skipped-reporter.ts'
import { readTable, updatedTable } from './test-suite/times-table.ts'

const root = path.join(import.meta.dirname, '..')
const timesOf = (file: string, cpu: number): FileTimes => ({
  ...{ file, cpu, wall: cpu * 2 },
  ...{ boot: 0, setup: 0, tests: cpu, waiting: cpu },
})
const dovecot = needs.filter(({ name }) => name === 'Dovecot')

describe('a server that is missing', () => {
  const files = [
    'packages/testing/src/peers/dovecot.ts',
    'packages/server/test/peers/mail-peers.test.ts',
    'packages/platform/test/clock.test.ts',
  ]
  const skipped = skippedFiles(files, root, [...dovecot])

  test('leaves out the files that import its module, and no others', () => {
    expect(skipped.map(({ file }) => file)).toEqual(files.slice(0, 2))
  })

  test('is named at the end with the files, the reason and the command that installs it', () => {
    const text = skippedText(skipped, ['needs curl', 'needs curl'], needs)
    expect(text).toContain('Dovecot (mail is read from a real IMAP server): 2 files')
    expect(text).toContain('packages/testing/src/peers: dovecot.ts')
    expect(text).toContain('packages/server/test/peers: mail-peers')
    expect(text).toContain('2 single tests')
    expect(text).toMatch(/apt-get install -y --no-install-recommends .*dovecot-imapd/)
    expect(text).not.toContain('RabbitMQ')
  })

  test('is not mentioned where no test needs it', () => {
    expect(skippedText([], [], needs)).toBe('')
  })

  test.for(needs.flatMap((need) => ('modules' in need ? need.modules : [])))('has the module %s', (module) => {
    expect(existsSync(path.join(root, 'packages', module))).toBe(true)
  })
})

describe('the committed times', () => {
  const table = { a: { wall: 1, cpu: 9 }, b: { wall: 5, cpu: 4 }, c: { wall: 3, cpu: 5 } }

  test('start the longest file first, and a new file before all others', () => {
    expect(longestFirst(['a', 'b', 'c', 'new'], table)).toEqual(['new', 'b', 'c', 'a'])
  })

  test('give every shard the same processor time, and each file to one shard', () => {
    expect(shardsOf(['a', 'b', 'c'], 2, table)).toEqual([['a'], ['c', 'b']])
    const all = Object.keys(readTable())
    const shards = shardsOf(all, 3, readTable())
    expect(shards.flat().toSorted()).toEqual(all.toSorted())
  })

  test('are replaced by those of a run, and forgotten with their file', () => {
    const updated = updatedTable(table, [timesOf('a', 2)], (name) => name !== 'b')
    expect(updated).toEqual({ a: { wall: 4, cpu: 2 }, c: { wall: 3, cpu: 5 } })
  })

  test('belong to files that exist', () => {
    const gone = Object.keys(readTable()).filter((name) => !existsSync(path.join(root, name)))
    expect(gone, 'npm run test:times -- --record removes them').toEqual([])
  })
})

describe('the budget of a folder', () => {
  const budgets = { 'packages/a/test': 100, 'packages/b/test': 50, 'packages/c/test': 10 }
  const run = (a: number, b: number, c: number, otherShare = 0, again?: ReadonlyMap<string, number>) => {
    const files = [
      timesOf('packages/a/test/x.test.ts', a),
      timesOf('packages/b/test/x.test.ts', b),
      timesOf('packages/c/test/x.test.ts', c),
    ]
    return compareBudgets(budgets, { files, otherShare }, again)
  }

  test('fails the run when the folder grows by more than a tenth', () => {
    expect(run(100, 50, 10).exceeded).toEqual([])
    expect(run(109, 50, 10).exceeded).toEqual([])
    expect(run(112, 50, 10).exceeded).toEqual(['packages/a/test: 112.0 s of 100 s'])
  })

  test('does not depend on the speed of the machine', () => {
    expect(run(200, 100, 20).exceeded).toEqual([])
    expect(run(230, 100, 20).exceeded).toEqual(['packages/a/test: 115.0 s of 100 s'])
  })

  test('is not compared beside other programs', () => {
    const { exceeded, skipped } = run(300, 50, 10, 0.5)
    expect({ exceeded, skipped }).toEqual({ exceeded: [], skipped: 'other programs used 50 % of the processors' })
  })

  test('is compared with the smaller figure of two measurements', () => {
    const second = (a: number) => new Map([['packages/a/test', a]])
    expect(run(130, 50, 10).folders).toEqual(['packages/a/test'])
    expect(run(130, 50, 10, 0, second(105)).exceeded).toEqual([])
    expect(run(130, 50, 10, 0, second(120)).exceeded).toEqual(['packages/a/test: 120.0 s of 100 s'])
    expect(run(130, 50, 10, 0, second(150)).exceeded).toEqual(['packages/a/test: 130.0 s of 100 s'])
  })

  test('is needed by every folder that has tests', () => {
    const files = [timesOf('packages/new/test/deep/er/than/x.test.ts', 4)]
    expect(compareBudgets({}, { files, otherShare: 0 }).exceeded).toEqual([
      'packages/new/test/deep has no line: add one with 4',
    ])
  })

  test.for(['test', 'check'])('has a line for every folder with recorded times, at level %s', (level) => {
    const folders = new Set(
      Object.keys(readTable())
        .filter((name) => level === 'check' || name.endsWith('.test.ts'))
        .map(folderOf),
    )
    expect([...folders].filter((folder) => readBudgets()[level]?.[folder] === undefined)).toEqual([])
  })
})

describe('the tests nearest to a change', () => {
  const imports: Record<string, string[]> = {
    'packages/formats/src/itip.ts': ['packages/formats/test/itip.test.ts', 'packages/server/src/node.ts'],
    'packages/server/src/node.ts': ['packages/server/src/app.ts'],
    'packages/server/src/app.ts': ['packages/server/test/harness.ts'],
    'packages/server/test/harness.ts': [
      'packages/server/test/journeys/itip-mails.test.ts',
      'packages/server/test/journeys/folders.test.ts',
    ],
  }
  const tests = new Set(
    Object.values(imports)
      .flat()
      .filter((file) => file.endsWith('.test.ts')),
  )
  const ranked = nearestTests(['packages/formats/src/itip.ts'], tests, new Map(Object.entries(imports)))

  test('begin with those that import it, then come those with its subject', () => {
    expect(ranked.map(({ file, distance }) => [path.basename(file), distance])).toEqual([
      ['itip.test.ts', 1],
      ['itip-mails.test.ts', 4],
      ['folders.test.ts', 4],
    ])
  })

  test('run as far as the budget goes, and without those that are far away', () => {
    const names = (seconds: number) => withinBudget(ranked, () => 10, seconds).chosen.map((file) => path.basename(file))
    expect(names(10)).toEqual(['itip.test.ts'])
    expect(names(25)).toEqual(['itip.test.ts', 'itip-mails.test.ts'])
    expect(names(1000)).toEqual(['itip.test.ts', 'itip-mails.test.ts'])
    expect(names(Number.POSITIVE_INFINITY)).toHaveLength(3)
  })

  test('share words of the subject, not of the place', () => {
    expect([...wordsOf('packages/providers/src/google/calendar/events.ts')]).toEqual(['google', 'calendar', 'event'])
  })

  test('are found through the imports of this project', () => {
    const importedBy = importers(['scripts/test-suite/nearest.ts', 'scripts/test-suite/report.ts'], root)
    expect(importedBy.get('scripts/test-suite/missing-servers.ts')).toEqual(['scripts/test-suite/nearest.ts'])
  })
})
