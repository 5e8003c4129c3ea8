/** The style sheets of a body, wherever they are: also those after the text apply to it. */
import type { Budget } from './css/budget.ts'
import { appliesForMedia, type Rule, readSheet } from './css/sheet.ts'
import { readHtml } from './html-text.ts'

export interface BodyStyles {
  readonly rules: readonly Rule[]
  /** Whether there are further style sheets that we cannot read. */
  readonly hasMore: boolean
}

/** Services of fonts, whose style sheets have nothing else. */
const FONTS = /^(?:https?:)?\/\/(?:fonts\.googleapis\.com|fonts\.bunny\.net|use\.typekit\.net|fonts\.gstatic\.com)\//i
/** Elements whose content is not part of the document. */
const APART = new Set(['template', 'iframe', 'noembed', 'noframes', 'title', 'textarea', 'xmp'])

export function stylesOf(html: string, budget: Budget): BodyStyles {
  const rules: Rule[] = []
  let hasMore = false
  if (!/<(?:style|link)/i.test(html)) return { rules, hasMore }
  let sheet: string[] | undefined
  let certainty: Rule['certainty'] | 'no' = 'no'
  let apart = 0
  let optional = 0
  const finish = (): void => {
    const css = sheet?.join('') ?? ''
    sheet = undefined
    if (certainty === 'no') return
    const read = readSheet(css, budget)
    if (read.imports.some((address) => !FONTS.test(address))) hasMore = true
    for (const rule of read.rules) rules.push(certainty === 'maybe' ? { ...rule, certainty } : rule)
  }
  readHtml(html, {
    open(name, { media = '', type = '', rel = '', href = '' }) {
      if (APART.has(name)) apart++
      else if (name === 'noscript') optional++
      else if (name === 'link' && apart === 0) {
        if (/\bstylesheet\b/i.test(rel) && !FONTS.test(href.trim())) hasMore = true
      } else if (name === 'style' && apart === 0) {
        const isCss = type.trim() === '' || type.trim().toLowerCase() === 'text/css'
        const applies = isCss ? appliesForMedia(media, budget) : 'no'
        certainty = applies !== 'no' && optional > 0 ? 'maybe' : applies
        sheet = []
      }
    },
    close(name) {
      if (APART.has(name)) apart--
      else if (name === 'noscript') optional--
      else if (name === 'style' && sheet) finish()
    },
    text(value) {
      sheet?.push(value)
    },
  })
  return { rules, hasMore }
}
