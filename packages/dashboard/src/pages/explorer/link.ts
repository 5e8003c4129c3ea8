/** A request encoded in the URL fragment, so that no log contains it. Secrets are left out. */
import { safe } from './history.ts'
import type { Filled } from './request.ts'

const mark = '#request='

export const linkPart = (filled: Filled): string => `${mark}${encodeURIComponent(JSON.stringify(safe(filled)))}`

const isTexts = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' && value !== null && Object.values(value).every((each) => typeof each === 'string')

/** The request in a URL fragment; undefined if there is none or it is invalid. */
export function filledIn(hash: string): Filled | undefined {
  if (!hash.startsWith(mark)) return undefined
  try {
    const value: Partial<Filled> = JSON.parse(decodeURIComponent(hash.slice(mark.length)))
    const path = isTexts(value.path) ? value.path : {}
    return { path, query: isTexts(value.query) ? value.query : {}, body: value.body }
  } catch {
    return undefined
  }
}
