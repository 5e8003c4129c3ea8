/** Actions on a message or conversation. Viewing a message changes nothing. */
import { useMutation } from '@tanstack/react-query'
import type { MessageChange } from '@waypost/sdk'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { SelectField } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { ErrorNote } from '../../components/states.tsx'
import { showToast } from '../../components/toast.tsx'
import type { ShownFolder } from './folder-tree.ts'
import { MailIcon, type MailIconName } from './mail-icons.tsx'

export interface Marked {
  unread: boolean
  starred: boolean
  folders: readonly string[]
}

interface ActionsProps {
  /** Name of the target for screen readers: `conversation` or `message`. */
  what: string
  of: Marked
  folders: readonly ShownFolder[]
  onChange(change: Omit<MessageChange, 'metadata'>): Promise<void>
  onDelete(): Promise<void>
  /** Called after the target was moved or deleted and is no longer in the current folder. */
  onGone(): void
}

function IconButton({
  icon,
  label,
  filled,
  busy,
  onClick,
}: {
  icon: MailIconName
  label: string
  filled?: boolean
  busy?: boolean
  onClick(): void
}) {
  return (
    <Button small kind="plain" busy={busy} aria-label={label} title={label} onClick={onClick}>
      <MailIcon name={icon} filled={filled} />
    </Button>
  )
}

export function Actions({ what, of, folders, onChange, onDelete, onGone }: ActionsProps) {
  const [dialog, setDialog] = useState<'move' | 'delete'>()
  const change = useMutation({ mutationFn: onChange })
  const remove = useMutation({
    mutationFn: onDelete,
    onSuccess: () => {
      showToast(`Moved the ${what} to the trash.`)
      setDialog(undefined)
      onGone()
    },
  })
  const close = (): void => {
    setDialog(undefined)
    change.reset()
    remove.reset()
  }
  return (
    <div className="mail-actions">
      <IconButton
        icon={of.unread ? 'read' : 'unread'}
        label={`Mark the ${what} as ${of.unread ? 'read' : 'unread'}`}
        busy={change.isPending}
        onClick={() => change.mutate({ unread: !of.unread })}
      />
      <IconButton
        icon="star"
        filled={of.starred}
        label={of.starred ? `Remove the star from the ${what}` : `Star the ${what}`}
        busy={change.isPending}
        onClick={() => change.mutate({ starred: !of.starred })}
      />
      <IconButton icon="move" label={`Move the ${what}`} onClick={() => setDialog('move')} />
      <IconButton icon="trash" label={`Delete the ${what}`} onClick={() => setDialog('delete')} />
      {change.error && !dialog && (
        <Dialog title="The action failed" onClose={() => change.reset()}>
          <ErrorNote error={change.error} />
        </Dialog>
      )}
      {dialog === 'move' && (
        <FormDialog
          title={`Move the ${what}`}
          onClose={close}
          submit="Move"
          onSubmit={(values) => onChange({ folders: [values.exact('folder')] })}
          onDone={onGone}
          done={`The ${what} was moved.`}
        >
          <SelectField
            label="Folder"
            name="folder"
            defaultValue={folders.find(({ folder }) => !of.folders.includes(folder.id))?.folder.id}
            options={folders.map(({ folder, name, depth }) => [folder.id, `${'\u00a0\u00a0'.repeat(depth)}${name}`])}
          />
        </FormDialog>
      )}
      {dialog === 'delete' && (
        <Dialog title={`Delete the ${what}?`} onClose={close}>
          <p>It is moved to the trash folder of the account.</p>
          {remove.error && <ErrorNote error={remove.error} />}
          <div className="dialog-foot">
            <Button onClick={close}>Cancel</Button>
            <Button kind="danger-solid" busy={remove.isPending} onClick={() => remove.mutate()}>
              Delete
            </Button>
          </div>
        </Dialog>
      )}
    </div>
  )
}
