import { Button } from '../../components/button.tsx'
import { CopyText } from '../../components/copy.tsx'
import { Dialog } from '../../components/dialog.tsx'

/** A signing secret, this once. */
export function Secret({ title, secret, onClose }: { title: string; secret: string; onClose(): void }) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>Deliveries are signed with this secret. Copy it now: it is shown this once.</p>
      <CopyText text={secret} label="Copy the secret" />
      <div className="dialog-foot">
        <Button kind="primary" onClick={onClose}>
          I have copied it
        </Button>
      </div>
    </Dialog>
  )
}
