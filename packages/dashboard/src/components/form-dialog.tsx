/** A dialog with one form. It closes once the form was sent. */
import { Dialog } from './dialog.tsx'
import { Form, type FormProps } from './form.tsx'

interface FormDialogProps<T> extends Omit<FormProps<T>, 'onCancel'> {
  title: string
  wide?: boolean
  onClose(): void
}

export function FormDialog<T>({ title, wide, onClose, onDone, ...form }: FormDialogProps<T>) {
  return (
    <Dialog title={title} wide={wide} onClose={onClose}>
      <Form
        {...form}
        onCancel={onClose}
        onDone={(result) => {
          onDone?.(result)
          onClose()
        }}
      />
    </Dialog>
  )
}
