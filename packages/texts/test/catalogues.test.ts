/** Every language of a catalogue has the texts of the English file, with the same placeholders. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { bookingMailTexts } from '../src/booking-mails.ts'
import { bookingPageLanguages } from '../src/booking-pages.ts'
import { hostedPageLanguages } from '../src/hosted-pages.ts'

const folder = path.join(import.meta.dirname, '..')
const tagsOf = (languages: readonly { tag: string }[]): string[] => languages.map(({ tag }) => tag)
/** The tags of the languages that the service reads. */
const catalogues: Readonly<Record<string, string[]>> = {
  'booking-mails': Object.keys(bookingMailTexts),
  'booking-pages': tagsOf(bookingPageLanguages),
  'hosted-pages': tagsOf(hostedPageLanguages),
}

type Tree = string | { [key: string]: Tree }

/** `actions.cancel` and its text. */
const leavesOf = (tree: Tree, key = ''): [key: string, text: string][] =>
  typeof tree === 'string'
    ? [[key, tree]]
    : Object.entries(tree).flatMap(([name, part]) => leavesOf(part, key === '' ? name : `${key}.${name}`))

const readTexts = (catalogue: string, tag: string): Map<string, string> =>
  new Map(leavesOf(JSON.parse(readFileSync(path.join(folder, catalogue, `${tag}.json`), 'utf8'))))

const placeholdersIn = (text: string): string => (text.match(/\{\w+\}/g) ?? []).toSorted().join(' ')

test('every folder is a catalogue whose files are all imported', () => {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((each) => each.isDirectory())
  const names = folders.map(({ name }) => name).filter((name) => !['src', 'test', 'node_modules'].includes(name))
  const found = names.map((name) => [name, readdirSync(path.join(folder, name)).toSorted()])
  const imported = Object.entries(catalogues).map(([name, tags]) => [name, tags.map((tag) => `${tag}.json`).toSorted()])
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(imported))
})

describe.each(Object.entries(catalogues))('%s', (catalogue, tags) => {
  const english = readTexts(catalogue, 'en')

  test.each(tags)('in %s have every text in the order of the English file, and no other text', (tag) => {
    const texts = readTexts(catalogue, tag)
    const file = `${catalogue}/${tag}.json`
    expect(
      [...english.keys()].filter((key) => !texts.has(key)),
      `missing in ${file}`,
    ).toEqual([])
    expect(
      [...texts.keys()].filter((key) => !english.has(key)),
      `unknown in ${file}`,
    ).toEqual([])
    expect([...texts.keys()], `the order of ${file}`).toEqual([...english.keys()])
  })

  test.each(tags)('in %s have the placeholders of the English texts', (tag) => {
    const wrong = Array.from(readTexts(catalogue, tag))
      .filter(([key, text]) => placeholdersIn(text) !== placeholdersIn(english.get(key) ?? ''))
      .map(([key, text]) => `${catalogue}/${tag}.json ${key}: ${text}`)
    expect(wrong).toEqual([])
  })

  test.each(tags)('in %s are not empty, and have single spaces between words only', (tag) => {
    const wrong = Array.from(readTexts(catalogue, tag)).filter(([, text]) => text === '' || /^\s|\s$|\s{2}/.test(text))
    expect(wrong, `${catalogue}/${tag}.json`).toEqual([])
  })
})
