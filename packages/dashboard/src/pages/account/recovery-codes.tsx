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

/** Recovery codes, shown this once. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  const text = codes.join('\n')
  return (
    <Dialog title="Keep your recovery codes" onClose={onClose}>
      <p>
        Each lets you in once in place of a code of the app, should you lose it. Keep them where you keep passwords:
        they are shown this once.
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
          I have kept them
        </Button>
      </div>
    </Dialog>
  )
}
