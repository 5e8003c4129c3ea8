/** Texts of objects that a thread reads in one go, and the zone of times that name none. */
export interface TextBatch {
  texts: readonly string[]
  zone: string
}
