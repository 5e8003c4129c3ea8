/**
 * Names use the words of the field. A word of the list has a plain one instead, which the message names. Identifiers
 * alone are checked: comments, texts and names from outside are not.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'
import { sourceFiles } from './source-tree.ts'

const packages = fileURLToPath(new URL('../..', import.meta.url))
const withNames = ['contract', 'platform', 'formats', 'scheduling', 'providers', 'store', 'server', 'dashboard']

/** By word: what to write instead. A word counts at the beginning of a name and at a capital letter in it. */
const words: Readonly<Record<string, string>> = {
  told: 'reported or notified',
  asked: 'requested or queried',
  asking: 'requesting',
  kept: 'stored, cached or retained',
  look: 'poll, check or appearance',
  looks: 'polls',
  looked: 'polled or checked',
  looking: 'polling',
  way: 'transport, route or strategy',
  ways: 'transports, routes or strategies',
  most: 'max',
}

/** Names that stay, each with its reason. */
const stored = 'stored under this name'
const onTheWire = 'a field of the API, or its type'
const metric = 'a metric of released versions'
const english = 'the word is plain here'
const exceptions: Readonly<Record<string, string>> = {
  told: stored,
  asked: stored,
  isAsked: stored,
  askedSlots: stored,
  asked_revision: stored,
  told_from: stored,
  ToldMessages: stored,
  kept: 'a count in the report of an import',
  way: onTheWire,
  ways: onTheWire,
  SignInWay: onTheWire,
  SignInWays: onTheWire,
  Ways: onTheWire,
  scheduleKeptHours: onTheWire,
  waypost_watch_look_seconds: metric,
  waypost_watch_looks_total: metric,
  waypost_requests_under_way: metric,
  underWay: english,
  UnderWay: english,
  createUnderWay: english,
  maxUnderWay: english,
  allTheWay: english,
  maxUnderWayAtBusyStore: english,
  underWayPerApplication: english,
  atMost: english,
  mostFailed: english,
  looksLikeBase64: english,
  looksLikeHtml: english,
  looksLikeKey: english,
  looksOf: english,
  lookAlikes: english,
  lookUp: english,
  lookBack: english,
  maxLookedUp: english,
  maxNamesLookedUp: english,
}

interface Node {
  type: string
  [field: string]: unknown
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** The identifiers that a file declares or uses. */
function identifiersOf(file: string, text: string): Set<string> {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    else if (isNode(value)) {
      if (/Identifier$/.test(value.type) && typeof value.name === 'string') found.add(value.name)
      Object.values(value).forEach(visit)
    }
  }
  visit(parseSync(file, text).program)
  return found
}

const wordsIn = (name: string): string[] => name.split(/_|(?=[A-Z])/).map((word) => word.toLowerCase())

const names = new Map<string, string>()
for (const name of withNames) {
  for (const file of sourceFiles(path.join(packages, name, 'src'))) {
    const text = readFileSync(path.join(packages, name, 'src', file), 'utf8')
    if (!new RegExp(Object.keys(words).join('|'), 'i').test(text)) continue
    for (const found of identifiersOf(file, text)) names.set(found, `${name}/src/${file}`)
  }
}

describe('names', () => {
  test('use the words of the field', () => {
    const strange = Array.from(names).flatMap(([name, file]) => {
      const word = wordsIn(name).find((each) => Object.hasOwn(words, each))
      return word === undefined || Object.hasOwn(exceptions, name) ? [] : [`${name} (${file}): write ${words[word]}`]
    })
    expect(strange.toSorted()).toEqual([])
  })

  test('that stay are still there', () => {
    expect(Object.keys(exceptions).filter((name) => !names.has(name))).toEqual([])
  })
})
