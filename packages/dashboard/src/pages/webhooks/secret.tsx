import { ShownOnce } from '../../components/shown-once.tsx'

/** A signing secret, shown once. */
export function Secret({ title, secret, onClose }: { title: string; secret: string; onClose(): void }) {
  return (
    <ShownOnce {...{ title, secret, onClose }} label="Copy secret">
      Deliveries are signed with this secret. Copy it now. It is shown only once.
    </ShownOnce>
  )
}
