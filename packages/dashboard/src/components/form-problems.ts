/** Errors of a form: assigns each problem to its field and brings the first one into view. */
import { WaypostError } from '@waypost/sdk'
import { type RefObject, useEffect, useRef } from 'react'

export type FieldProblems = Record<string, string>

/** Thrown on submit when the page itself finds a problem in a field. */
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

/**
 * Maps a path of the request to its field: `settings.imap_host` to `imap_host`, `trigger_types.0` to `trigger_types`.
 */
const fieldOf = (path: string, names: readonly string[]): string | undefined =>
  names.includes(path) ? path : path.split('.').findLast((part) => names.includes(part))

/** Groups the problems of an error by field, and says whether any belongs to no field. */
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

/** Opens collapsed sections around an element, so that it is visible and can take the focus. */
export function unfold(element: Element): void {
  for (let around = element.closest('details'); around; around = around.parentElement?.closest('details') ?? null) {
    around.open = true
  }
}

/** Focuses the first invalid field, or else the error note, and scrolls to it. */
function showFirst(within: HTMLElement): void {
  const found = within.querySelector<HTMLElement>('[aria-invalid="true"]') ?? within.querySelector('[role="alert"]')
  if (!(found instanceof HTMLElement)) return
  unfold(found)
  found.focus({ preventScroll: true })
  // Scroll to the whole field, because the message is below it.
  const shown = found.closest('.field') ?? found
  shown.scrollIntoView({ block: 'center' })
}

/** For the element that contains the fields or the note: brings the first problem of every new error into view. */
export function useShownProblem<E extends HTMLElement>(error: unknown): RefObject<E | null> {
  const within = useRef<E>(null)
  useEffect(() => {
    if (error && within.current) showFirst(within.current)
  }, [error])
  return within
}
