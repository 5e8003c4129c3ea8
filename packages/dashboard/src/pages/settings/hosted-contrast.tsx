/** How well the colours of the hosted page are read, with figures, and the nearest colour where one misses. */
import { type ContrastFinding, checkContrast, coloursOf, hexOf, parseColour } from '@waypost/contract/hosted-colours'
import { Button } from '../../components/button.tsx'
import { Table } from '../../components/table.tsx'
import type { Hosted } from './hosted-settings.ts'

const rows: readonly (readonly [ContrastFinding['what'], string])[] = [
  ['button_text', 'Text on buttons'],
  ['links', 'Links on the form'],
  ['button', 'Buttons on the form'],
  ['background', 'Form on the background'],
]

/** Rounded down: nothing passes by rounding. */
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

/** What is to be said of colours that miss. The page mends them itself: nobody is ever shown what cannot be read. */
function Warning({ hosted, light, onUse }: { hosted: Hosted; light: ContrastFinding; onUse(colour: string): void }) {
  const drawn = hexOf(coloursOf(hosted, 'light').link)
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

export function HostedContrast({ hosted, onUse }: { hosted: Hosted; onUse(colour: string): void }) {
  const findings = checkContrast(hosted)
  const find = (what: ContrastFinding['what'], scheme: ContrastFinding['scheme']): ContrastFinding | undefined =>
    findings.find((each) => each.what === what && each.scheme === scheme)
  const links = find('links', 'light')
  const dark = find('links', 'dark')
  const hasPrimary = parseColour(hosted.color_primary) !== undefined
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
          In dark mode, links use {hexOf(coloursOf(hosted, 'dark').link)}, the nearest readable color. Buttons keep your
          color, with black or white text and an outline.
        </p>
      )}
    </section>
  )
}
