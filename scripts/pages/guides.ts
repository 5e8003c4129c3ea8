/**
 * Guides, the API description and the search over both: packages/docs/dist/{pages,guides,files}, in the frame that was
 * built with the reference.
 */
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { compress } from './compress.ts'
import { firstView } from './first-view.ts'
import { guideAddress, guideIndex, guidePage, header, type ListedGuide } from './frame.ts'
import { withGuides } from './guide-links.ts'
import { type Guide, guideListFile, listGuides } from './guide-list.ts'
import { llmsText } from './llms.ts'
import { type Links, type Rendered, renderMarkdown } from './markdown.ts'
import { filesIn, type PagePart, packages, project } from './part.ts'
import { prepareDescription } from './prepared-description.ts'
import { appDist } from './reference.ts'
import { type Description, guideEntries, referenceEntries } from './search-entries.ts'

const dist = path.join(packages, 'docs/dist')
const description = path.join(project, 'docs/generated/openapi.json')

/** Titles of pages whose own heading does not suit the list of guides. */
const titles: Record<string, string> = { waypost: 'Waypost in short', sdk: 'The client for TypeScript' }

/** Writes a file under a name that contains a hash of its content; returns its URL. */
function keepFile(name: string, bytes: string | Uint8Array): string {
  const hash = createHash('sha256').update(bytes).digest('base64url').replace(/[^\w]/g, '').slice(0, 8)
  const { name: stem, ext } = path.parse(name)
  const retained = `${stem}-${hash}${ext}`
  writeFileSync(path.join(dist, 'files', retained), bytes)
  return `/docs/files/${retained}`
}

/**
 * The targets of a guide's links: other guides, the reference, or other sites. Links to files that are not served are
 * removed.
 */
export function linksOf(guide: Guide, guides: readonly Guide[], keepImage: (file: string) => string): Links {
  const targetOf = (href: string): string => path.posix.join(path.posix.dirname(guide.file), href)
  return {
    link(href) {
      if (/^(?:https?:|mailto:|#)/.test(href)) return href
      const [file = '', anchor] = href.split('#', 2)
      if (targetOf(file) === guideListFile) return '/docs/guides'
      const target = guides.find((other) => other.file === targetOf(file))
      if (target) return `${guideAddress(target.name)}${anchor === undefined ? '' : `#${anchor}`}`
      return targetOf(file) === 'docs/generated/openapi.json' ? '/docs' : undefined
    },
    image: (href) => (/^[a-z]+:/.test(href) ? undefined : keepImage(path.join(project, targetOf(href)))),
  }
}

/** The first sentence. */
const shortened = (text: string): string => /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text

function renderAll(guides: readonly Guide[]): (ListedGuide & { page: Rendered })[] {
  const images = new Map<string, string>()
  const keepImage = (file: string): string => {
    const retained = images.get(file) ?? keepFile(path.basename(file), readFileSync(file))
    images.set(file, retained)
    return retained
  }
  return guides.map((guide) => {
    const links = linksOf(guide, guides, keepImage)
    const page = renderMarkdown(readFileSync(path.join(project, guide.file), 'utf8'), links)
    const { name, group } = guide
    return { name, group, title: titles[name] ?? page.title, summary: shortened(page.summary), page }
  })
}

async function writePages(): Promise<void> {
  const guides = renderAll(listGuides())
  const text = readFileSync(description, 'utf8')
  const api = JSON.parse(text) as Description
  const search = keepFile(
    'search.json',
    JSON.stringify([
      ...guides.flatMap(({ name, title, page }) => guideEntries(name, title, page.sections)),
      ...referenceEntries(api),
    ]),
  )
  const frame = readFileSync(path.join(appDist, 'guide.html'), 'utf8').replace(
    '<!--header-->',
    header('guides', search),
  )
  const write = (file: string, title: string, page: string): void =>
    writeFileSync(
      path.join(dist, file),
      // Functions, so that `$` sequences in the page have no special meaning.
      frame.replace('<!--title-->', () => `${title} · Waypost`).replace('<!--page-->', () => page),
    )
  for (const { name, title, page } of guides) write(`guides/${name}.html`, title, guidePage({ guides, name, ...page }))
  write('pages/guides.html', 'Guides', guideIndex(guides))
  writeFileSync(path.join(dist, 'pages/llms.txt'), llmsText(guides))
  const shown = withGuides(api, guides)
  const prepared = keepFile('openapi.json', await prepareDescription(shown))
  writeFileSync(
    path.join(dist, 'pages/reference.html'),
    readFileSync(path.join(appDist, 'index.html'), 'utf8')
      .replace('<!--header-->', header('reference', search))
      .replace('<!--first-view-->', () => firstView(shown))
      .replace('</title>', `</title>\n    <link rel="preload" as="fetch" crossorigin href="${prepared}">`),
  )
}

export const guides: PagePart = {
  name: 'guides',
  built: path.join(dist, 'pages/reference.html.br'),
  sources: () => [
    ...listGuides().map(({ file }) => path.join(project, file)),
    ...globSync('docs/images/*', { cwd: project }).map((file) => path.join(project, file)),
    ...[guideListFile, 'docs', 'docs/generated'].map((name) => path.join(project, name)),
    description,
    ...filesIn(path.join(packages, 'docs/src')),
    path.join(appDist, 'index.html'),
  ],
  async build() {
    for (const folder of ['files', 'guides', 'pages']) {
      rmSync(path.join(dist, folder), { recursive: true, force: true })
      mkdirSync(path.join(dist, folder), { recursive: true })
    }
    await writePages()
    const sizes = []
    for (const folder of ['files', 'guides', 'pages']) sizes.push(await compress(path.join(dist, folder)))
    return sizes.reduce((sum, size) => sum + size, 0)
  },
}
