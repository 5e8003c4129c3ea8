// What examining the style of an element finds.

/** Something that people see less of, or differently. Words for the person who reads the preview. */
export interface Findings {
  /** Nothing inside the element is visible. */
  hides(what: string): void
  /** What is inside may be invisible, or may look different. */
  doubts(what: string): void
}

export class Found implements Findings {
  hidden: string | undefined
  readonly doubtful: string[] = []

  hides(what: string): void {
    this.hidden ??= what
  }

  doubts(what: string): void {
    if (this.doubtful.length < 5) this.doubtful.push(what)
  }
}
