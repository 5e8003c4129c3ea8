/** Texts of objects that a thread parses together, and the zone of floating times. */
export interface TextBatch {
  texts: readonly string[]
  zone: string
}
