/** What README.md and the pages in docs/ promise, without running it. `readme.check.ts` runs their examples. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { unavailable } from '@waypost/contract'
import { expect, test } from 'vitest'
import { commandsOf } from '../src/cli/program/command.ts'
import { program } from '../src/cli/table/index.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

test('README.md is a landing page of at most 120 lines', () => {
  const readme = readFileSync(`${root}README.md`, 'utf8')
  expect(readme.split('\n').length).toBeLessThanOrEqual(121)
})

test('README.md names every resource that the service refuses', () => {
  const readme = readFileSync(`${root}README.md`, 'utf8')
  const section = readme.split('## What Waypost does not do')[1]?.split('\n## ')[0] ?? ''
  for (const { resource } of unavailable) expect(section).toContain(`\`${resource}\``)
})

test('every command that the documentation names exists', () => {
  const pages = ['README.md', ...globSync('docs/*.md', { cwd: root })].map((file) =>
    readFileSync(`${root}${file}`, 'utf8'),
  )
  const named = pages.flatMap((page) =>
    Array.from(page.matchAll(/npx waypost ([a-z][a-z0-9-]*)(?: ([a-z][a-z-]*))?/g), ([, first = '', second]) => ({
      first,
      second,
    })),
  )
  expect(named.length).toBeGreaterThan(20)
  const known = commandsOf(program).map(({ name }) => name)
  for (const { first, second } of named)
    expect(known, `${first} ${second}`).toContain(known.includes(first) ? first : `${first} ${second}`)
})
