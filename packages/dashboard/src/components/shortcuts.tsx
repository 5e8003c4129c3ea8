/** The list of keyboard shortcuts. */
import { Dialog } from './dialog.tsx'
import { commandKey } from './shortcut-keys.ts'

const rows: readonly (readonly [keys: readonly string[], text: string])[] = [
  [[commandKey, 'K'], 'Search and commands'],
  [['/'], 'Search this list'],
  [['?'], 'Keyboard shortcuts'],
  [['g', 'o'], 'Overview'],
  [['g', 'g'], 'Grants'],
  [['g', 'w'], 'Webhooks'],
  [['g', 'c'], 'Connectors'],
  [['g', 'i'], 'Agents'],
  [['g', 'p'], 'Approvals'],
  [['g', 'e'], 'Explorer'],
  [['g', 'u'], 'Usage'],
  [['g', 'k'], 'API keys'],
  [['g', 's'], 'Settings'],
  [['g', 'a'], 'Applications'],
  [['g', 'h'], 'Health'],
  [['g', 'l'], 'Audit'],
  [['Esc'], 'Close'],
]

export function Shortcuts({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="shortcuts">
        {rows.map(([keys, text]) => (
          <div key={text}>
            <dt>
              {keys.map((key) => (
                <kbd key={`${text} ${key}`}>{key}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
