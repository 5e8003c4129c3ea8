import type { Configuration } from '@waypost/sdk'
import type { ReactNode } from 'react'
import type { Edit } from '../changes.ts'

export interface SectionProps {
  application: string
  draft: Configuration
  edit(edit: Edit): void
}

/** A part of the editor that can be collapsed. */
export function Section({
  title,
  lead,
  open,
  children,
}: {
  title: string
  lead: string
  open?: boolean
  children: ReactNode
}) {
  return (
    <details className="card section" open={open}>
      <summary>
        <h2>{title}</h2>
        <span className="quiet small">{lead}</span>
      </summary>
      <div className="card-body form">{children}</div>
    </details>
  )
}

/** Undefined for an empty text, which removes the value. */
export const textOr = (text: string): string | undefined => (text.trim() === '' ? undefined : text)
