import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { CopyText } from './copy.tsx'
import { Dialog } from './dialog.tsx'

/** A dialog for a secret that is shown only once. */
export function ShownOnce({
  title,
  secret,
  label,
  children,
  onClose,
}: {
  title: string
  secret: string
  /** Label of the copy button. */
  label: string
  /** Explains the secret and that it is shown only once. */
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
