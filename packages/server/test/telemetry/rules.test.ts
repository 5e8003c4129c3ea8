/** The dashboard and the rules of Prometheus use only metrics that the service has; promtool tests the rules. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { errors } from '@waypost/contract'
import { needsProgram } from '@waypost/testing/peers/needs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { expositionOf } from '../../src/telemetry/exposition.ts'
import { type Metric, metricTable } from '../../src/telemetry/metric-table.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { readScrape, type Scraped } from './scrape.ts'

const deploy = fileURLToPath(new URL('../../../../deploy/', import.meta.url))
const read = (file: string): string => readFileSync(`${deploy}${file}`, 'utf8')

interface Panel {
  title: string
  targets?: { expr: string }[]
}
interface Rule {
  alert?: string
  record?: string
  expr: string
}
const dashboard: {
  panels: Panel[]
  templating: { list: { name: string; definition?: string }[] }
} = JSON.parse(read('grafana/waypost.json'))
const rules: Rule[] = parse(read('prometheus/alerts.yaml')).groups.flatMap((group: { rules: Rule[] }) => group.rules)
const recorded = new Set(rules.flatMap(({ record }) => record ?? []))

const questions: [where: string, expr: string][] = [
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }): [string, string] => [`panel "${title}"`, expr]),
  ),
  ...dashboard.templating.list.flatMap(({ name, definition }): [string, string][] =>
    definition === undefined ? [] : [[`variable ${name}`, definition]],
  ),
  ...rules.map(({ alert, record, expr }): [string, string] => [alert ?? record ?? '', expr]),
]

/** The name of the family of a sample. */
function familyOf(name: string, families: ReadonlyMap<string, Scraped>): string {
  const bare = name.replace(/_(?:bucket|sum|count)$/, '')
  return families.get(bare)?.type === 'histogram' ? bare : name
}

/** Labels that Prometheus adds, and those of the format itself. */
const added = ['job', 'instance', 'le']
/** The labels of process metrics are known only from the scrape. */
const labelsOf = (name: string, families: ReadonlyMap<string, Scraped>): readonly string[] =>
  Object.hasOwn(metricTable, name)
    ? (metricTable[name as keyof typeof metricTable] as Metric).labels
    : [...(families.get(name)?.labels ?? [])]

const metricForm = /\bwaypost_\w+|\bup\b/g
const matcherForm = /(\w+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"/g
const groupForm = /\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g

/** The problems of a query, as text. */
function problemsOf(expr: string, families: ReadonlyMap<string, Scraped>): string[] {
  const names = [...new Set(expr.match(metricForm) ?? [])].filter((name) => name !== 'up')
  const unknown = names.filter((name) => !families.has(familyOf(name, families)))
  const known = new Set([...added, ...names.flatMap((name) => labelsOf(familyOf(name, families), families))])
  const matchers = [...expr.matchAll(matcherForm)]
  const groups = [...expr.matchAll(groupForm)].flatMap(([, list = '']) => list.split(',').map((label) => label.trim()))
  const labels = [...matchers.map(([, label = '']) => label), ...groups]
  // The labels of a recorded sum are those of its own query.
  const isRecorded = [...recorded].some((name) => expr.includes(name))
  const values = matchers.flatMap(([, label = '', value = '']) => unknownValues(label, value))
  return [
    ...unknown.map((name) => `there is no metric ${name}`),
    ...(isRecorded ? [] : labels.filter((label) => !known.has(label)).map((label) => `no metric has a label ${label}`)),
    ...values,
    ...(names.length === 0 && !isRecorded && !expr.includes('up{') ? ['it asks for no metric'] : []),
  ]
}

/** Names of errors, and outcomes with names of their own. */
const words: ReadonlySet<string> = new Set([
  ...Object.keys(errors),
  ...['ok', 'sent', 'failed', 'resent', 'given_up', 'refused', 'refreshed', 'unanswered', 'delivered'],
])
const unknownValues = (label: string, value: string): string[] =>
  label === 'error' || label === 'outcome'
    ? value.split('|').flatMap((word) => (words.has(word) ? [] : [`nothing is called ${word}`]))
    : []

describe('the queries of the dashboard and the rules', () => {
  test('use existing metrics and labels', async () => {
    const families = readScrape(expositionOf(await createMetrics().families()))
    expect(questions.length).toBeGreaterThan(60)
    const problems = questions.flatMap(([where, expr]) =>
      problemsOf(expr, families).map((problem) => `${where}: ${problem}`),
    )
    expect(problems).toEqual([])
  })

  test('are checked for unknown metrics, labels and values', async () => {
    const families = readScrape(expositionOf(await createMetrics().families()))
    expect(problemsOf('sum by (tenant) (rate(waypost_nothing_total{error="nosuch"}[5m]))', families)).toEqual([
      'there is no metric waypost_nothing_total',
      'no metric has a label error',
      'no metric has a label tenant',
      'nothing is called nosuch',
    ])
    expect(problemsOf('waypost_http_requests_total{route="x"}', families)).toEqual([])
  })

  test('never sum a metric of the installation over nodes', () => {
    const stored = Object.entries<Metric>(metricTable).flatMap(([name, { scope }]) =>
      scope === 'installation' ? [name] : [],
    )
    expect(stored.length).toBeGreaterThan(5)
    const summed = questions.filter(([, expr]) =>
      stored.some((name) => new RegExp(`\\bsum\\s*(?:by\\s*\\([^)]*\\))?\\s*\\(\\s*${name}`).test(expr)),
    )
    expect(summed).toEqual([])
  })

  test('use every metric of the service', () => {
    const all = questions.map(([, expr]) => expr).join('\n')
    const unrequested = Object.keys(metricTable).filter((name) => !all.includes(name))
    expect(unrequested).toEqual(['waypost_csp_reports_total'])
  })
})

describe('promtool', () => {
  const run = (...args: string[]) => spawnSync('promtool', args, { cwd: `${deploy}prometheus`, encoding: 'utf8' })

  test.for([
    ['check', 'rules', 'alerts.yaml'],
    ['test', 'rules', 'alerts.test.yaml'],
    ['check', 'config', '--syntax-only', 'prometheus.yaml'],
  ])('accepts %s %s %s', (args, context) => {
    needsProgram(context, 'promtool')
    const { status, stdout, stderr } = run(...args)
    expect(`${status} ${stdout}${stderr}`).toMatch(/^0 /)
  })
})
