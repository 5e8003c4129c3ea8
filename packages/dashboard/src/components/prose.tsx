import type { ReactNode } from 'react'

/** A text from the contract. Parts between backticks are shown as code. */
export function Prose({ text }: { text: string }): ReactNode {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
}
