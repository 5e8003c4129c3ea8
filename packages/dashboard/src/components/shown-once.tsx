import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { CopyText } from './copy.tsx'
import { Dialog } from './dialog.tsx'

/** A secret that is shown this once, to be copied. */
export function ShownOnce({
  title,
  secret,
  label,
  children,
  onClose,
}: {
  title: string
  secret: string
  /** Of the button that copies it. */
  label: string
  /** What it is for, and that it is not shown again. */
  children: ReactNode
  onClose(): void
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      <CopyText text={secret} label={label} />
      <div className="dialog-foot">
        <Button kind="primary" onClick={onClose}>
          I have copied it
        </Button>
      </div>
    </Dialog>
  )
}
