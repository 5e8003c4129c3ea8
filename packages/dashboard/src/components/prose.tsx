import type { ReactNode } from 'react'

/** A text of the contract: what stands between backticks is code. */
export function Prose({ text }: { text: string }): ReactNode {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
}
