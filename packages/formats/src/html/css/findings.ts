/** What examining the style of an element finds. */

/** Text that people see badly, or in another order. The preview shows these words to its reader. */
export interface Findings {
  /** Nothing inside the element is visible. */
  hides(what: string): void
  /** What is inside may be invisible, or may look different. */
  doubts(what: string): void
}

export class CssFindings implements Findings {
  hidden: string | undefined
  readonly doubtful: string[] = []

  hides(what: string): void {
    this.hidden ??= what
  }

  doubts(what: string): void {
    if (this.doubtful.length < 5) this.doubtful.push(what)
  }
}
