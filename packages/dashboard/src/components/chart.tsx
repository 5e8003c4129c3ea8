/** Small SVG charts. Each has its figures as a table for screen readers. */
import { type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { count } from '../format.ts'

export interface Series {
  name: string
  values: readonly (number | null)[]
  color: 1 | 2 | 3 | 4 | 5 | 6
}

interface ChartProps {
  title: string
  labels: readonly string[]
  series: readonly Series[]
  /** Unit of the figures, such as `ms` or `requests per minute`. */
  unit: string
}

const height = 166
const left = 38
const bottom = 20
const top = 24
const plotHeight = height - bottom - top
/** Width of a label below the chart, in pixels. */
const labelWidth = 74

/** The next round number, so that grid lines have round labels. */
function ceilingOf(max: number): number {
  if (max <= 4) return 4
  const magnitude = 10 ** Math.floor(Math.log10(max))
  return ([1, 2, 4, 5, 8, 10].find((step) => step * magnitude >= max) ?? 10) * magnitude
}

const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })

/** Width of the chart on the page. The SVG is drawn at its real size, so that its text has the normal font size. */
function useWidth() {
  const frame = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { frame, width }
}

function Grid({ ceiling, chart, width }: { ceiling: number; chart: ChartProps; width: number }) {
  const { labels, unit } = chart
  const step = (width - left) / Math.max(1, labels.length)
  const every = Math.max(1, Math.ceil(labelWidth / step))
  return (
    <>
      <text className="chart-unit" x={0} y={11}>
        {unit}
      </text>
      {[0, 0.5, 1].map((part) => {
        const y = top + plotHeight * (1 - part)
        return (
          <g key={part}>
            <line className="grid-line" x1={left} x2={width} y1={y} y2={y} />
            <text x={left - 6} y={y + 4} textAnchor="end">
              {short.format(ceiling * part)}
            </text>
          </g>
        )
      })}
      {labels.map((label, index) => {
        const x = left + step * (index + 0.5)
        const fits = x + labelWidth / 2 <= width + 8
        return index % every === 0 && fits ? (
          <text key={index} x={Math.max(x, left)} y={height - 4} textAnchor="middle">
            {label}
          </text>
        ) : null
      })}
    </>
  )
}

function Figures({ title, labels, series, unit }: ChartProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a keyboard must reach it
    <section className="chart-table" tabIndex={0} aria-label={`${title}: data`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {series.map(({ name }) => (
              <th key={name} scope="col" className="end">
                {name}
                {` (${unit})`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((label, index) => (
            <tr key={index}>
              <td>{label}</td>
              {series.map(({ name, values }) => (
                <td key={name} className="end number">
                  {typeof values[index] === 'number' ? count(values[index]) : '–'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Frame(props: ChartProps & { draw(width: number): ReactNode }) {
  const id = useId()
  const { frame, width } = useWidth()
  const [open, setOpen] = useState(false)
  return (
    <figure className="chart" aria-labelledby={id}>
      <div className="split">
        <figcaption id={id}>{props.title}</figcaption>
        <ul className="legend">
          {props.series.map(({ name, color }) => (
            <li key={name}>
              <span className={`swatch fill-${color}`} aria-hidden="true" />
              {name}
            </li>
          ))}
        </ul>
      </div>
      <div ref={frame}>
        <svg height={height} aria-hidden="true">
          {width > left && props.draw(width)}
        </svg>
      </div>
      <details className="disclosure" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Show as table</summary>
        {open && <Figures {...props} />}
      </details>
    </figure>
  )
}

const tipOf = ({ series, unit }: ChartProps, label: string, index: number): string =>
  [label, ...series.map(({ name, values }) => `${name}: ${values[index] ?? '–'} ${unit}`)].join('\n')

function Bars({ chart, width }: { chart: ChartProps; width: number }) {
  const { labels, series } = chart
  const sums = labels.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))
  const ceiling = ceilingOf(Math.max(0, ...sums))
  const step = (width - left) / Math.max(1, labels.length)
  const bar = Math.min(step * 0.7, 44)
  return (
    <>
      <Grid ceiling={ceiling} chart={chart} width={width} />
      {labels.map((label, index) => {
        const x = left + step * index
        let below = top + plotHeight
        return (
          <g key={index}>
            <title>{tipOf(chart, label, index)}</title>
            <rect className="bar-back" x={x} y={top} width={step} height={plotHeight} />
            {series.map(({ name, values, color }) => {
              const tall = ((values[index] ?? 0) / ceiling) * plotHeight
              below -= tall
              return (
                <rect
                  key={name}
                  className={`fill-${color}`}
                  x={x + (step - bar) / 2}
                  y={below}
                  width={bar}
                  height={tall}
                  rx={Math.min(2, bar / 4)}
                />
              )
            })}
          </g>
        )
      })}
    </>
  )
}

type Point = readonly [x: number, y: number]

/** Splits a line into pieces at missing values. */
function piecesOf(values: readonly (number | null)[], at: (index: number, value: number) => Point): Point[][] {
  const pieces: Point[][] = []
  let isOpen = false
  for (const [index, value] of values.entries()) {
    if (value !== null) {
      if (!isOpen) pieces.push([])
      pieces.at(-1)?.push(at(index, value))
    }
    isOpen = value !== null
  }
  return pieces
}

/** A single point is drawn as a dot, because a line of one point has no length. */
function Piece({ points, color }: { points: readonly Point[]; color: Series['color'] }) {
  const [[x, y] = [0, 0], ...others] = points
  if (others.length === 0) return <circle className={`fill-${color}`} cx={x} cy={y} r={3} />
  const path = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')
  return <path className={`chart-line stroke-${color}`} d={`M${path}`} />
}

/** The marker at the pointer with its figures. There is only one marker, because a day has 1,440 columns. */
function Pointed({ chart, step }: { chart: ChartProps; step: number }) {
  const { labels } = chart
  const [index, setIndex] = useState(-1)
  const label = labels[index]
  const follow = ({ clientX, currentTarget }: PointerEvent<SVGGElement>) =>
    setIndex(Math.floor((clientX - currentTarget.getBoundingClientRect().left) / step))
  return (
    <g onPointerMove={follow} onPointerLeave={() => setIndex(-1)}>
      {label !== undefined && <title>{tipOf(chart, label, index)}</title>}
      <rect className="plot" x={left} y={top} width={step * labels.length} height={plotHeight} />
      {label !== undefined && (
        <rect className="pointed" x={left + step * index} y={top} width={step} height={plotHeight} />
      )}
    </g>
  )
}

function Lines({ chart, width }: { chart: ChartProps; width: number }) {
  const { labels, series } = chart
  const ceiling = ceilingOf(Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0))))
  const step = (width - left) / Math.max(1, labels.length)
  const at = (index: number, value: number): Point => [
    left + step * (index + 0.5),
    top + plotHeight * (1 - value / ceiling),
  ]
  return (
    <>
      <Grid ceiling={ceiling} chart={chart} width={width} />
      <Pointed chart={chart} step={step} />
      {series.map(({ name, values, color }) =>
        piecesOf(values, at).map((points) => <Piece key={`${name} ${points[0]}`} {...{ points, color }} />),
      )}
    </>
  )
}

/** Stacked bars. */
export const BarChart = (chart: ChartProps) => (
  <Frame {...chart} draw={(width) => <Bars chart={chart} width={width} />} />
)

export const LineChart = (chart: ChartProps) => (
  <Frame {...chart} draw={(width) => <Lines chart={chart} width={width} />} />
)
