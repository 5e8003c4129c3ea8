/** Finds where the answers to one request differ, and which differences are explained. */
import type { Facts } from './answers.ts'
import type { Difference, KindName } from './difference.ts'

/** What one kind answered to one request, and the fields that it said it ignores. */
export interface KindAnswer {
  facts: Facts
  ignored: ReadonlySet<string>
}

/** The answers to one request by kind. */
export interface Row {
  request: string
  answers: ReadonlyMap<KindName, KindAnswer>
}

/** A field of an object, whichever item of a list it is in: `data.0.attachments.1.size` is `attachments.size`. */
export const fieldOf = (place: string): string =>
  place
    .replaceAll(/\.\d+(?=\.|$)/g, '')
    .replace(/^data\.(?=.)/, '')
    .replace(/^latest_draft_or_message\.(?=.)/, '')

const isWithin = (field: string, of: string): boolean => field === of || field.startsWith(`${of}.`)
const matches = (pattern: string, text: string): boolean =>
  pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : pattern === text

const explains = (difference: Difference, kind: KindName, request: string, place: string): boolean =>
  difference.kinds.includes(kind) &&
  difference.requests.some((pattern) => matches(pattern, request)) &&
  difference.fields.some((field) => isWithin(fieldOf(place), field) || (field === 'status' && place === 'error.type'))

interface Told {
  kind: KindName
  value: string
}

/** What each kind answered at one place. Of an error only its status and type are compared. */
function valuesAt(answers: Row['answers'], place: string): Told[] {
  const isOutcome = place === 'status' || place === 'error.type'
  return [...answers].flatMap(([kind, { facts, ignored }]) => {
    if (facts.has('error.type') && !isOutcome) return []
    if ([...ignored].some((field) => isWithin(fieldOf(place), field))) return []
    return [{ kind, value: facts.get(place) ?? 'absent' }]
  })
}

/**
 * Every difference that is not explained, in words, and the uses of explanations as `index kind`. An explanation is used
 * where the kind answered something else than those without one, or than another kind that has one.
 */
export function compare(rows: readonly Row[], differences: readonly Difference[]) {
  const unexplained: string[] = []
  const used = new Set<string>()
  for (const { request, answers } of rows) {
    const places = new Set([...answers.values()].flatMap(({ facts }) => [...facts.keys()]))
    for (const place of places) {
      const reported = valuesAt(answers, place).map((each) => ({
        ...each,
        index: differences.findIndex((difference) => explains(difference, each.kind, request, place)),
      }))
      const plain = new Set(reported.filter(({ index }) => index === -1).map(({ value }) => value))
      if (plain.size > 1) unexplained.push(inWords(request, place, reported))
      for (const { kind, value, index } of reported) {
        const others = plain.size > 0 ? [...plain] : reported.map((each) => each.value)
        if (index !== -1 && others.some((other) => other !== value)) used.add(`${index} ${kind}`)
      }
    }
  }
  return { unexplained, used }
}

function inWords(request: string, place: string, reported: readonly Told[]): string {
  const byValue = Map.groupBy(reported, ({ value }) => value)
  const parts = [...byValue].map(([value, by]) => `${value} (${by.map(({ kind }) => kind).join(', ')})`)
  return `${request} | ${place} | ${parts.join(' | ')}`
}
