/** The maximum size of an answer of Exchange. */
import type { XmlLimits } from '@waypost/platform/xml/xml'

/** Some thousand items with all their properties, or ten thousand folders. */
export const answerLimits: XmlLimits = { elements: 200_000, depth: 100, attributes: 400_000 }

/** Answers that are parsed on the main thread: some milliseconds of work. */
export const smallLimits: XmlLimits = {
  characters: 256 * 1024,
  depth: 100,
  elements: 10_000,
  attributes: 20_000,
  references: 20_000,
}
