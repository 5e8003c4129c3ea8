/**
 * The entries of the search over reference and guides: every section of a guide, every operation, webhook and type.
 */
import { operationAnchor } from '../../packages/docs/src/anchors.ts'
import type { Entry } from '../../packages/docs/src/rank.ts'
import type { Section } from './markdown.ts'

/** Every word once. The search matches them and never displays them. */
export const wordsOf = (text: string): string =>
  [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_.-]+/gu) ?? [])].join(' ')

export const guideEntries = (name: string, title: string, sections: readonly Section[]): Entry[] =>
  sections.map((section) => ({
    title: section.depth === 1 ? title : section.title,
    where: section.depth === 1 ? 'Guide' : title,
    at: `/guides/${name}${section.depth === 1 ? '' : `#${section.id}`}`,
    text: wordsOf(section.text),
  }))

export interface Operation {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
}
export interface Description {
  info: { title: string; version: string; description?: string }
  tags?: { name: string; description?: string; 'x-displayName'?: string }[]
  'x-tagGroups'?: { name: string; tags: string[] }[]
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, { description?: string }> }
}

export function referenceEntries({ paths, webhooks = {}, components }: Description): Entry[] {
  const methods = new Set(['get', 'post', 'put', 'patch', 'delete'])
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.has(method))
      .map(([method, { operationId = '', summary = operationId, description = '', tags = [] }]) => ({
        title: summary,
        where: `${method.toUpperCase()} ${path}`,
        at: `#${operationAnchor(tags[0] ?? '', operationId)}`,
        text: wordsOf(`${operationId} ${description}`),
      })),
  )
  const reported = Object.entries(webhooks).flatMap(([name, item]) =>
    Object.entries(item).map(([method, { summary = '', description = '' }]) => ({
      title: name,
      where: 'Webhook',
      at: `#webhook/${method.toUpperCase()}/${name}`,
      text: wordsOf(`${summary} ${description}`),
    })),
  )
  const types = Object.entries(components.schemas).map(([name, { description = '' }]) => ({
    title: name,
    where: 'Type',
    at: `#models/${name}`,
    text: wordsOf(description),
  }))
  return [...operations, ...reported, ...types]
}
