/** The built guides: every link between them leads to a page, and to a heading if it names one. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'

const folder = path.join(import.meta.dirname, '../dist/guides')

/** The values of an attribute in a built page, whose attributes all have double quotes. */
const valuesOf = (html: string, attribute: string): string[] =>
  [...html.matchAll(new RegExp(`<[^>]*?\\s${attribute}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    value.replaceAll('&amp;', '&'),
  )

test('every link from a guide to a guide leads to an existing heading', async () => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.html'))
  expect(names.length, 'the guides are built (npm run build)').toBeGreaterThan(20)
  const pages = new Map<string, { ids: Set<string>; links: string[] }>()
  for (const name of names) {
    const html = await readFile(path.join(folder, name), 'utf8')
    const at = `/docs/guides/${path.basename(name, '.html')}`
    pages.set(at, { ids: new Set(valuesOf(html, 'id')), links: valuesOf(html, 'href') })
  }
  let count = 0
  const lost: string[] = []
  for (const [from, { links }] of pages) {
    for (const link of links.filter((each) => /^(#|\/docs\/guides\/)/.test(each))) {
      const { pathname, hash } = new URL(link, `http://docs.test${from}`)
      count += 1
      const target = pages.get(pathname)
      const anchor = decodeURIComponent(hash.slice(1))
      if (!target || (anchor !== '' && !target.ids.has(anchor))) lost.push(`${from}: ${link}`)
    }
  }
  expect(count).toBeGreaterThan(100)
  expect(lost).toEqual([])
})

test('the link to the next guide follows the order of the list of guides', async () => {
  const list = await readFile(path.join(folder, '../pages/guides.html'), 'utf8')
  const cards = list.slice(list.indexOf('class="cards"'))
  const order = valuesOf(cards, 'href').filter((link) => link.startsWith('/docs/guides/'))
  expect(order.length).toBeGreaterThan(20)
  for (const [index, at] of order.entries()) {
    const html = await readFile(path.join(folder, `${path.basename(at)}.html`), 'utf8')
    expect(/<a class="next" href="([^"]+)"/.exec(html)?.[1], at).toBe(order[index + 1])
  }
})
