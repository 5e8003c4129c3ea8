/** The address of a booking page, and the code that embeds it into another site. */
import type { Configuration } from '@waypost/sdk'
import { baseUrl } from '../../api.ts'

type Addressed = Pick<Configuration, 'id' | 'slug'>

/** A page without a slug has its id in the address. */
export const pageUrl = (application: string, { id, slug }: Addressed): string =>
  `${baseUrl}/book/${application}/${slug || id}`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A script that fits the height of the page to its content. */
export const scriptCode = (application: string, { id, slug }: Addressed): string =>
  `<script src="${baseUrl}/book/embed.js" data-client-id="${application}" data-slug="${escaped(slug || id)}" async></script>`

export const frameCode = (url: string, name: string): string =>
  `<iframe src="${escaped(url)}" title="${escaped(name)}" style="width:100%;height:720px;border:0"></iframe>`
