/**
 * The first view of the reference: its menu and its introduction as plain HTML. The browser paints it immediately and
 * shows it until Scalar has rendered the same page. Readers without JavaScript see it too.
 */
import { tagSlug } from '../../packages/docs/src/anchors.ts'
import { escapeHtml } from '../../packages/docs/src/highlight.ts'
import { renderMarkdown } from './markdown.ts'
import type { Description } from './search-entries.ts'

const item = (anchor: string, text: string): string => `<li><a href="#${anchor}">${escapeHtml(text)}</a></li>`

function menu({ tags = [], 'x-tagGroups': groups = [] }: Description): string {
  const titles = new Map(tags.map(({ name, 'x-displayName': title = name }) => [name, title]))
  const lists = groups.map(({ name, tags: listed }) => {
    const items = listed.map((tag) => item(`tag/${tagSlug(tag)}`, titles.get(tag) ?? tag))
    return `<h2>${escapeHtml(name)}</h2><ul>${items.join('')}</ul>`
  })
  return `<nav aria-label="Sections"><ul>${item('description/introduction', 'Introduction')}</ul>${lists.join('')}<ul>${item('models', 'Models')}</ul></nav>`
}

/** Links keep their targets: guides of this service. */
const links = { link: (href: string): string => href, image: (): undefined => undefined }

export function firstView(api: Description): string {
  const { title, description = '', version } = api.info
  // The title of the page is its only heading of the first level.
  const text = description.replaceAll(/^# /gm, '## ')
  const { html } = renderMarkdown(text, links)
  return `<div id="first">${menu(api)}<main>
      <p class="version"><span>v${escapeHtml(version)}</span></p><h1>${escapeHtml(title)}</h1>
      ${html}
      <p class="loading" role="status">Loading all operations…</p>
      <noscript>The full reference needs JavaScript. Without it, read the API description at /openapi.json and the guides.</noscript>
    </main></div>`
}
