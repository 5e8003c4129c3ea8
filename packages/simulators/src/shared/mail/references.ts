// The data that links messages of a thread: their references, and the subject without prefixes.
import { headerValue, type MimePart } from './mime.ts'

/** The Message-IDs that a message references, nearest first. */
export function referencesOf(mime: MimePart): string[] {
  const text = `${headerValue(mime, 'in-reply-to') ?? ''} ${headerValue(mime, 'references') ?? ''}`
  return [...new Set((text.match(/<[^<>]+>/g) ?? []).toReversed())]
}

/** In lower case, without `Re:` and the like. */
export function baseSubject(text: string): string {
  let subject = text.replace(/\s+/g, ' ').trim().toLowerCase()
  for (let before = ''; before !== subject; ) {
    before = subject
    subject = subject.replace(/^(?:re|fwd?|aw|wg|sv|vs|tr|rv|antw)(?:\[\d+\])?:\s*/, '')
  }
  return subject
}
