/** Shows the target of a link in a message before it is opened. */
import { CopyText } from './copy.tsx'
import { Dialog } from './dialog.tsx'
import { isMisleading, placeOf } from './link-place.ts'

export function LeavingLink({ href, text, onClose }: { href: string; text: string; onClose(): void }) {
  const place = placeOf(href)
  return (
    <Dialog title="Open this link?" onClose={onClose}>
      <div className="stack">
        {place !== undefined && (
          <p>
            To <strong className="wrap">{place}</strong>
          </p>
        )}
        {isMisleading(href, text) && (
          <div className="note warn">
            <span>
              The message displays it as <bdi className="wrap">{text}</bdi>, which is a different address.
            </span>
          </div>
        )}
        <CopyText text={href} label="Copy the address" />
      </div>
      <div className="dialog-foot">
        <a className="button primary" href={href} target="_blank" rel="noopener noreferrer" onClick={onClose}>
          Open in a new tab
        </a>
      </div>
    </Dialog>
  )
}
