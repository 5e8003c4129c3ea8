/**
 * Properties that cannot hide or change text. Those that can are examined; everything that is in neither list makes the
 * text doubtful.
 */

const words = (text: string): string[] => text.trim().split(/\s+/)

const HARMLESS = new Set(
  words(`
  accent-color align-content align-items align-self appearance aspect-ratio backface-visibility background-attachment
  background-origin background-position background-position-x background-position-y background-repeat background-size
  border-collapse border-spacing box-decoration-break box-sizing break-after break-before break-inside caption-side
  clear color-scheme column-fill column-gap cursor empty-cells fill flex flex-basis flex-flow flex-grow flex-shrink flex-wrap float
  font-family font-feature-settings font-kerning font-optical-sizing font-smooth font-stretch font-style font-synthesis
  font-variant font-variant-caps font-variant-ligatures font-variant-numeric font-variation-settings font-weight gap
  grid-area grid-auto-columns grid-auto-flow grid-auto-rows grid-column grid-column-end grid-column-gap grid-column-start
  grid-gap grid-row grid-row-end grid-row-gap grid-row-start hyphens image-rendering isolation justify-content
  justify-items justify-self layout-grid-mode line-break line-height-step list-style list-style-image list-style-position
  list-style-type min-inline-size min-block-size object-fit object-position orphans outline outline-color outline-offset
  outline-style outline-width overflow-anchor overflow-wrap overscroll-behavior padding-block-end padding-bottom
  padding-inline-end padding-right page-break-after page-break-before page-break-inside perspective-origin place-content
  place-items place-self pointer-events print-color-adjust quotes resize row-gap scroll-behavior speak src stroke tab-size
  table-layout text-align text-align-last text-autospace text-decoration text-decoration-color text-decoration-line
  text-decoration-skip-ink text-decoration-style text-decoration-thickness text-emphasis text-justify text-overflow
  text-rendering text-shadow text-size-adjust text-transform text-underline-offset text-underline-position text-wrap
  text-wrap-mode text-wrap-style touch-action transform-origin transform-style transition transition-delay transition-duration transition-property
  transition-timing-function user-select white-space white-space-collapse widows will-change word-break word-wrap zoom-type
  border-radius unicode-range tap-highlight-color font-smoothing osx-font-smoothing text-autosize
  supported-color-schemes text-underline-color interpolation-mode hyphenate-limit-chars hyphenate-limit-lines hyphenate-limit-last hyphenate-limit-zone`),
)

/** Those that `css/computed.ts` examines. */
const EXAMINED = new Set(
  words(`
  display visibility content-visibility opacity filter position left top right bottom margin-left margin-top margin-right
  margin-bottom padding-left padding-top width height max-width max-height min-width min-height overflow-x overflow-y
  clip clip-path mask mask-image transform translate rotate scale zoom color text-fill-color background-color
  background-image background-clip background-blend-mode mix-blend-mode font-size font-size-adjust letter-spacing
  word-spacing line-height text-indent direction unicode-bidi writing-mode text-security line-clamp z-index
  animation-name flex-direction order box-shadow content mso-hide vertical-align text-stroke text-stroke-width
  grid-template grid-template-rows grid-template-columns grid-template-areas box-orient`),
)

const PREFIX = /^-(?:webkit|moz|ms|o|khtml|apple|epub)-/

/** The name without the prefix of a browser. */
export const plainName = (name: string): string => name.replace(PREFIX, '')

const isBorder = /^border(?:-[a-z-]+)?$/
/** Properties of Outlook and Word. */
const OF_PROGRAMS = /^(?:mso-|v-|layout-grid|tab-stops$|page$|text-effect$|punctuation-|ruby-|animation-(?!name$))/

export function knowledgeOf(name: string): 'examined' | 'harmless' | 'unknown' {
  const plain = plainName(name)
  // Variables, and properties of tools that write newsletters, such as `-premailer-width`.
  if (plain.startsWith('-')) return 'harmless'
  if (EXAMINED.has(plain)) return 'examined'
  return HARMLESS.has(plain) || isBorder.test(plain) || OF_PROGRAMS.test(plain) ? 'harmless' : 'unknown'
}
