import type { Grant } from '@waypost/sdk'
import { CopyText } from '../../components/copy.tsx'
import { Dialog } from '../../components/dialog.tsx'

/**
 * How to export an account. The export of an account has many pages and continues after an interruption, which the
 * command does better than a download in the browser.
 */
export function ExportGrant({ application, grant, onClose }: { application: string; grant: Grant; onClose(): void }) {
  return (
    <Dialog wide title="Export the account" onClose={onClose}>
      <p>
        This command writes the mail, events and contacts of <strong className="wrap">{grant.email}</strong> to files:
        mbox, iCalendar and vCard. Run it on the server.
      </p>
      <CopyText text={`waypost grants export ${grant.id} --app ${application} --out backup`} label="Copy the command" />
      <p>After an interruption, run it again with this option. It loses and repeats nothing.</p>
      <CopyText text="--resume" label="Copy the option" />
      <p className="quiet small">
        Programs use the API: <code>{`/v3/grants/${grant.id}/messages/export`}</code>, <code>…/events/export</code> and{' '}
        <code>…/contacts/export</code>.
      </p>
    </Dialog>
  )
}
