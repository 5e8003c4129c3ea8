/** Parses a scrape of `/metrics` as Prometheus does. */
export interface Scraped {
  type: string
  help: string
  /** The labels of its samples, without those of the format. */
  labels: Set<string>
  samples: { name: string; labels: Record<string, string>; value: number }[]
}

const sampleForm = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/
const labelForm = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g

/** Families of metrics by name. Throws if a line is invalid. */
export function readScrape(text: string): Map<string, Scraped> {
  const families = new Map<string, Scraped>()
  let current: Scraped | undefined
  for (const line of text.split('\n')) {
    const [, what, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? []
    if (what === 'HELP') {
      current = { type: '', help: rest, labels: new Set(), samples: [] }
      families.set(name, current)
    } else if (what === 'TYPE' && current) current.type = rest
    else if (line !== '' && current) addSample(current, line)
  }
  return families
}

function addSample(family: Scraped, line: string): void {
  const [, name, inside = '', value] = sampleForm.exec(line) ?? []
  if (name === undefined) throw new Error(`no sample: ${line}`)
  const labels = Object.fromEntries(
    Array.from(inside.matchAll(labelForm), ([, label = '', text = '']) => [label, text]),
  )
  for (const label of Object.keys(labels)) if (label !== 'le') family.labels.add(label)
  family.samples.push({ name, labels, value: Number(value) })
}

/** The value of one sample; undefined if it does not exist. */
export const valueIn = (
  families: Map<string, Scraped>,
  name: string,
  labels: Record<string, string> = {},
): number | undefined =>
  families
    .values()
    .flatMap(({ samples }) => samples)
    .find(
      (sample) => sample.name === name && Object.entries(labels).every(([label, is]) => sample.labels[label] === is),
    )?.value
