/** The frame of a page: the common header, the list of guides, and links to the previous and next guide. */
import { escapeHtml } from '../../packages/docs/src/highlight.ts'
import type { Section } from './markdown.ts'

export interface ListedGuide {
  name: string
  group: string
  title: string
  summary: string
}

type Place = 'reference' | 'guides'

const link = (href: string, text: string, isHere = false): string =>
  `<a href="${href}"${isHere ? ' aria-current="page"' : ''}>${text}</a>`

export const header = (here: Place, searchIndex: string): string => `<header class="top">
      <a class="skip" href="#${here === 'reference' ? 'reference' : 'content'}">Skip to content</a>
      <a class="brand" href="/docs/guides">Waypost</a>
      <nav aria-label="Documentation">${link('/docs/guides', 'Guides', here === 'guides')}${link('/docs', 'Reference', here === 'reference')}</nav>
      <button type="button" id="search"><span>Search</span><kbd aria-hidden="true">Ctrl K</kbd></button>
      <button type="button" id="theme" aria-label="Colors"></button>
      <a class="dashboard" href="/dashboard">Dashboard</a>
      <link rel="search-index" href="${searchIndex}">
    </header>`

export const guideAddress = (name: string): string => `/docs/guides/${name}`

const byGroup = (guides: readonly ListedGuide[]): [string, ListedGuide[]][] =>
  Object.entries(Object.groupBy(guides, ({ group }) => group)).map(([group, listed = []]) => [group, listed])

const sideList = (guides: readonly ListedGuide[], here: string): string =>
  byGroup(guides)
    .map(([group, listed]) => {
      const items = listed.map(
        ({ name, title }) => `<li>${link(guideAddress(name), escapeHtml(title), name === here)}</li>`,
      )
      return `<h2>${escapeHtml(group)}</h2><ul>${items.join('')}</ul>`
    })
    .join('')

function contents(sections: readonly Section[]): string {
  const listed = sections.filter(({ depth }) => depth === 2 || depth === 3)
  if (listed.length < 2) return ''
  const items = listed.map(
    ({ id, depth, title }) => `<li class="depth-${depth}">${link(`#${escapeHtml(id)}`, escapeHtml(title))}</li>`,
  )
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`
}

function way(guides: readonly ListedGuide[], here: string): string {
  const at = guides.findIndex(({ name }) => name === here)
  const step = (guide: ListedGuide | undefined, word: string): string =>
    guide
      ? `<a class="${word.toLowerCase()}" href="${guideAddress(guide.name)}"><span>${word}</span>${escapeHtml(guide.title)}</a>`
      : ''
  return `<nav class="way" aria-label="Other guides">${step(guides[at - 1], 'Previous')}${step(guides[at + 1], 'Next')}</nav>`
}

export interface GuidePage {
  guides: readonly ListedGuide[]
  name: string
  html: string
  sections: readonly Section[]
}

export const guidePage = ({ guides, name, html, sections }: GuidePage): string => `<div class="layout">
      <nav class="side" aria-label="Guides">${sideList(guides, name)}</nav>
      <main id="content" tabindex="-1">
        <article>${html}</article>
        ${way(guides, name)}
      </main>
      ${contents(sections)}
    </div>`

/** The page that lists all guides. */
export function guideIndex(guides: readonly ListedGuide[]): string {
  const groups = byGroup(guides).map(([group, listed]) => {
    const items = listed.map(
      ({ name, title, summary }) =>
        `<li><a href="${guideAddress(name)}">${escapeHtml(title)}</a><p>${escapeHtml(summary)}</p></li>`,
    )
    return `<section><h2>${escapeHtml(group)}</h2><ul class="cards">${items.join('')}</ul></section>`
  })
  return `<main id="content" class="index" tabindex="-1"><h1>Guides</h1><p>How Waypost behaves, grouped by task. The <a href="/docs">reference</a> lists every route and field.</p>${groups.join('')}</main>`
}
