/** Every adapter of the registry has a test file that describes it for the conformance suite. */
import { readdirSync, readFileSync } from 'node:fs'
import { conferencingKinds } from '@waypost/contract'
import { providers } from '@waypost/providers/registry'
import { expect, test } from 'vitest'
import { adapters, mustShow, partsOf, resourcesOf } from './claims.ts'

const folder = new URL('./', import.meta.url)
/** Calls of `describeProvider` with their descriptions, from all test files of this folder. */
const descriptions = readdirSync(folder)
  .filter((file) => /\.(test|check)\.ts$/.test(file) && file !== 'coverage.test.ts')
  .flatMap((file) =>
    readFileSync(new URL(file, folder), 'utf8')
      .split(/^await describeProvider\(/m)
      .slice(1),
  )

const described = adapters.filter(([, adapter]) => partsOf(adapter).length > 0 || mustShow(adapter, 'limits'))

test('every kind of provider has something that the conformance suite tests', () => {
  const kinds = new Set(described.map(([name]) => name))
  const others = Object.keys(providers).filter((kind) => !conferencingKinds.has(kind))
  expect(kinds.isSupersetOf(new Set([...others, 'imap + CalDAV', 'imap + CardDAV']))).toBe(true)
})

test.each(described)('the adapter %s is described with all its parts in a test file', (name, adapter) => {
  const whole = descriptions.some((text) => text.includes(`adapter: '${name}'`) && !/\bonly: \[/.test(text))
  const parts = partsOf(adapter).map((part) => `${part} (${resourcesOf[part].join(', ')})`)
  const file = `packages/server/test/conformance/${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}.test.ts`
  expect(
    whole,
    `No test file describes the adapter \`${name}\`. Write ${file} with one statement:

  await describeProvider(() => ({ adapter: '${name}', ${partsOf(adapter).join(', ')} }))

Its parts: ${parts.join('; ') || 'none'}. describe-provider.ts says what each part opens; google.test.ts is an example.`,
  ).toBe(true)
})
