/** The contrast of the hosted page's colors with figures, and the nearest color that passes if one fails. */
import { type ContrastFinding, checkContrast, colorsOf, hexOf, parseColor } from '@waypost/contract/hosted-colors'
import { Button } from '../../components/button.tsx'
import { Table } from '../../components/table.tsx'
import type { Hosted } from './hosted-settings.ts'

const rows: readonly (readonly [ContrastFinding['what'], string])[] = [
  ['button_text', 'Text on buttons'],
  ['links', 'Links on the form'],
  ['button', 'Buttons on the form'],
  ['background', 'Form on the background'],
]

/** Rounded down, so that no color passes by rounding. */
const figure = (ratio: number): string => `${(Math.floor(ratio * 100) / 100).toFixed(2)}:1`

function Figure({ finding }: { finding: ContrastFinding | undefined }) {
  if (!finding) return null
  const { ratio, needs, passes } = finding
  if (needs === undefined) return <span className="quiet">{figure(ratio)}</span>
  return (
    <span className="contrast-figure">
      <span className={`badge ${passes ? 'good' : 'warn'}`}>{figure(ratio)}</span>{' '}
      <span className={passes ? 'hidden' : 'quiet small'}>{passes ? 'passes' : `needs ${needs}:1`}</span>
    </span>
  )
}

/**
 * A warning about colors with too little contrast. The hosted page corrects them itself, so it is always readable.
 */
function Warning({ hosted, light, onUse }: { hosted: Hosted; light: ContrastFinding; onUse(color: string): void }) {
  const drawn = hexOf(colorsOf(hosted, 'light').link)
  return (
    <div className="note warn" role="status">
      <strong>
        The primary color {hosted.color_primary} has a contrast of {figure(light.ratio)} on the form. Text needs at
        least {light.needs}:1.
      </strong>
      <span>The page uses {drawn} for links, the nearest readable color.</span>
      <div className="actions">
        <Button small changes onClick={() => onUse(drawn)}>
          <span className="contrast-swatch" style={{ background: drawn }} />
          Use {drawn}
        </Button>
      </div>
    </div>
  )
}

export function HostedContrast({ hosted, onUse }: { hosted: Hosted; onUse(color: string): void }) {
  const findings = checkContrast(hosted)
  const find = (what: ContrastFinding['what'], scheme: ContrastFinding['scheme']): ContrastFinding | undefined =>
    findings.find((each) => each.what === what && each.scheme === scheme)
  const links = find('links', 'light')
  const dark = find('links', 'dark')
  const hasPrimary = parseColor(hosted.color_primary) !== undefined
  return (
    <section aria-label="Contrast">
      <h3>Contrast</h3>
      <Table
        label="Color contrast"
        rows={rows}
        id={([what]) => what}
        columns={[
          { title: 'Element', cell: ([, text]) => text },
          { title: 'Light', cell: ([what]) => <Figure finding={find(what, 'light')} /> },
          { title: 'Dark', cell: ([what]) => <Figure finding={find(what, 'dark')} /> },
        ]}
      />
      {hasPrimary && links && !links.passes && <Warning hosted={hosted} light={links} onUse={onUse} />}
      {hasPrimary && dark && !dark.passes && (
        <p className="quiet small">
          In dark mode, links use {hexOf(colorsOf(hosted, 'dark').link)}, the nearest readable color. Buttons keep your
          color, with black or white text and an outline.
        </p>
      )}
    </section>
  )
}
