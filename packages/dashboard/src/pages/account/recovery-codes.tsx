import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy.tsx'
import { Dialog } from '../../components/dialog.tsx'

/** Saves a text as a file. */
function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

/** The dialog that shows recovery codes once. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  const text = codes.join('\n')
  return (
    <Dialog title="Save your recovery codes" onClose={onClose}>
      <p>
        If you lose your authenticator app, sign in with one of these codes instead. Each code works once. Store them in
        a safe place, such as a password manager. They are shown only once.
      </p>
      <ul className="recovery-codes" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="dialog-foot">
        <CopyButton text={text} label="Copy all codes" />
        <Button onClick={() => download('waypost-recovery-codes.txt', `${text}\n`)}>Download</Button>
        <Button kind="primary" onClick={onClose}>
          I have saved them
        </Button>
      </div>
    </Dialog>
  )
}
