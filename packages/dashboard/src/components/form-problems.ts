/** What is wrong with a form: which problem is of which field, and the first of them before the eyes of who sent it. */
import { WaypostError } from '@waypost/sdk'
import { type RefObject, useEffect, useRef } from 'react'

export type FieldProblems = Record<string, string>

/** Thrown where a form is sent: what the page itself knows to be wrong with one of its fields. */
export class FieldError extends Error {
  readonly problems: FieldProblems

  constructor(name: string, problem: string) {
    super(problem)
    this.problems = { [name]: problem }
  }
}

const problemsIn = (error: unknown): FieldProblems => {
  if (error instanceof FieldError) return error.problems
  return (error instanceof WaypostError ? error.validationErrors : undefined) ?? {}
}

/** The field that a path of the request came from: `settings.imap_host` of `imap_host`, `trigger_types.0` of `trigger_types`. */
const fieldOf = (path: string, names: readonly string[]): string | undefined =>
  names.includes(path) ? path : path.split('.').findLast((part) => names.includes(part))

/** The problems of an error by the field they stand at, and whether there is one that stands at none. */
export function sortProblems(
  error: unknown,
  names: readonly string[],
): { atFields: FieldProblems; isElsewhere: boolean } {
  const problems = Object.entries(problemsIn(error))
  const atFields: FieldProblems = {}
  for (const [path, problem] of problems) {
    const field = fieldOf(path, names)
    if (field !== undefined) atFields[field] ??= problem
  }
  const isElsewhere = problems.length === 0 || problems.some(([path]) => fieldOf(path, names) === undefined)
  return { atFields, isElsewhere }
}

/** Opens what is folded around an element: nothing inside can be seen or take the focus before. */
export function unfold(element: Element): void {
  for (let around = element.closest('details'); around; around = around.parentElement?.closest('details') ?? null) {
    around.open = true
  }
}

/** The first wrong field takes the focus, or else the note that says what happened, and is scrolled to. */
function showFirst(within: HTMLElement): void {
  const found = within.querySelector<HTMLElement>('[aria-invalid="true"]') ?? within.querySelector('[role="alert"]')
  if (!(found instanceof HTMLElement)) return
  unfold(found)
  found.focus({ preventScroll: true })
  // What is wrong stands below the field.
  const shown = found.closest('.field') ?? found
  shown.scrollIntoView({ block: 'center' })
}

/** For what holds fields or a note: every new error brings its first problem into view. */
export function useShownProblem<E extends HTMLElement>(error: unknown): RefObject<E | null> {
  const within = useRef<E>(null)
  useEffect(() => {
    if (error && within.current) showFirst(within.current)
  }, [error])
  return within
}
