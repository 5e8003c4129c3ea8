/** The languages of the hosted pages: translated, without markup, and chosen for each user. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { ApiError } from '@waypost/platform/api-error'
import { vendors } from '@waypost/providers/mail/vendors'
import { type Providers, providers } from '@waypost/providers/registry'
import { describe, expect, test } from 'vitest'
import { english, languages, type TextKey, translatorOf } from '../../../src/api/pages/hosted/languages.ts'
import { hasMark } from '../../../src/api/pages/hosted/marks.ts'
import { chooseLanguage, parseAcceptLanguage, parseUiLocales } from '../../../src/api/pages/hosted/negotiation.ts'
import { stopOf } from '../../../src/api/pages/hosted/stop-view.ts'
import { rightToLeft } from '../../pseudo-language.ts'

const src = fileURLToPath(new URL('../../../../', import.meta.url))
const en = english.texts
const keys = Object.keys(en) as TextKey[]

const read = (...folders: string[]): string[] =>
  folders.flatMap((folder) =>
    readdirSync(path.join(src, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && file !== 'form.ts')
      .map((file) => readFileSync(path.join(src, folder, file), 'utf8')),
  )
/** The sources that use texts, or whose providers name them. */
const sources = read('server/src/api/pages/hosted', 'server/src/api/pages/agents', 'providers/src')
/** The sources that have the values of which keys are composed. */
const values = read('contract/src', 'server/src/agents')

describe('the catalogues', () => {
  test('exist in ten languages', () => {
    expect(languages.map(({ tag }) => tag).toSorted()).toEqual(
      ['de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt', 'zh-Hans'].toSorted(),
    )
  })

  test('contain no unused text', () => {
    const isQuoted = (texts: readonly string[], word: string): boolean =>
      texts.some((text) => text.includes(`'${word}'`))
    /** Keys are also composed: `status.${status}`. The second part is a value of the contract or of the agents. */
    const beginnings = sources.flatMap((text) =>
      Array.from(text.matchAll(/`([a-z]+\.[a-z_]*)\$\{/g), (found) => found[1]),
    )
    const isComposed = (key: string): boolean =>
      beginnings.some((start = '') => key.startsWith(start) && isQuoted(values, key.slice(start.length)))
    expect(keys.filter((key) => !isQuoted(sources, key) && !isComposed(key))).toEqual([])
  })

  test('contain no markup', () => {
    const wrong = languages.flatMap(({ tag, texts }) =>
      keys.filter((key) => /[<>&]/.test(texts[key])).map((key) => `${tag} ${key}`),
    )
    expect(wrong).toEqual([])
  })

  /** Names and words that are the same in several languages. */
  const shared = /^(form\.(secure_mail_key|apple_account|server|port|password)|error_title|choice\.or)$/
  test.each(languages.filter(({ tag }) => tag !== 'en').map((language) => [language.tag, language] as const))(
    'in %s have a translation of every text',
    (_tag, { texts }) => {
      expect(keys.filter((key) => texts[key] === en[key] && !shared.test(key))).toEqual([])
    },
  )

  test('have punctuation at the end where English has it', () => {
    const ends = /[.!?。？:：]$/
    const wrong = languages.flatMap(({ tag, texts }) =>
      keys
        .filter((key) => /[.!?:]$/.test(en[key]) && !ends.test(texts[key]) && !/_hint$|_example$/.test(key))
        .map((key) => `${tag} ${key}`),
    )
    expect(wrong).toEqual([])
  })
})

test('a value is inserted unchanged, and isolated from text of the other direction', () => {
  const t = translatorOf(english)
  expect(t('cancel', { application: '{title} $& <b>' })).toBe('Cancel and go back to {title} $& <b>')
  expect(translatorOf(rightToLeft)('cancel', { application: 'Acme' })).toContain('\u2068Acme\u2069')
})

describe('the language of a page', () => {
  const chosen = (header: string, ui = ''): string =>
    chooseLanguage(languages, [parseUiLocales(ui), parseAcceptLanguage(header)], english).tag

  test.each([
    ['de', 'de'],
    ['de-CH,de;q=0.9,en;q=0.8', 'de'],
    ['DE-at', 'de'],
    ['en-US,en;q=0.9,de;q=0.8', 'en'],
    ['sv,nb;q=0.9,fr;q=0.4', 'fr'],
    ['fr;q=0.4,it;q=0.9', 'it'],
    ['fr;q=0,it;q=0.1', 'it'],
    ['pt-PT', 'pt'],
    ['pt-BR,pt;q=0.9', 'pt'],
    ['ja-JP', 'ja'],
    ['zh', 'zh-Hans'],
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh-Hans'],
    ['zh-SG', 'zh-Hans'],
    ['zh-Hans-HK', 'zh-Hans'],
    // Readers of traditional characters can read simplified ones, but prefer another of their languages.
    ['zh-TW', 'zh-Hans'],
    ['zh-TW,en;q=0.5', 'en'],
    ['zh-TW,zh;q=0.9,en-US;q=0.8', 'zh-Hans'],
    ['zh-HK,ja;q=0.5', 'ja'],
    ['', 'en'],
    ['*', 'en'],
    ['sv', 'en'],
    ['x', 'en'],
    ['de;q=2', 'de'],
    ['!!,,;q=,de_DE,\u0000,nl', 'nl'],
    [`${'xx,'.repeat(5_000)}de`, 'en'],
  ])('for Accept-Language %s is %s', (header, tag) => {
    expect(chosen(header)).toBe(tag)
  })

  test.each([
    ['fr-CA fr en', 'fr'],
    ['tlh es', 'es'],
    ['tlh', 'de'],
    ['it,en', 'it'],
    ['zh-Hant', 'zh-Hans'],
  ])('for ui_locales %s, before a browser in German, is %s', (ui, tag) => {
    expect(chosen('de', ui)).toBe(tag)
  })
})

test('every provider that users sign in with, and every vendor that is offered, has a mark', () => {
  const kinds = Object.values(providers as Providers).filter((provider) => provider?.form || provider?.oauth)
  expect(kinds.length).toBeGreaterThan(4)
  const offered = Object.entries(vendors).filter(([, { title }]) => title !== undefined)
  const names = [...kinds.map((provider) => provider?.kind ?? ''), ...offered.map(([id]) => id)]
  expect(names.filter((name) => !hasMark(name))).toEqual([])
})

test.each([
  ['rate_limited', 'Please wait a moment'],
  ['internal_error', 'Something went wrong'],
  ['service_unavailable', 'Something went wrong'],
  ['not_found', 'Page not found'],
  ['method_not_allowed', 'The sign-in cannot continue'],
  ['login_id_invalid', 'The sign-in cannot continue'],
] as const)('the page for %s starts with "%s", and does not contain the error', (code, title) => {
  const stop = stopOf(new ApiError(code, 'CANARY'), translatorOf(english), 'Acme')
  expect(stop.title).toBe(title)
  expect(JSON.stringify(stop)).not.toContain('CANARY')
})
