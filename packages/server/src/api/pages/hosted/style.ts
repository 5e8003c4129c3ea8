/** The style sheet of the pages, with the application's choices as variables. */
import type { HostedAuthentication } from '@waypost/contract'
import { colorsOf, hexOf, parseColor, type Scheme, usual } from '@waypost/contract/hosted-colors'

/** Defaults by color scheme; the application's choices follow. */
const tokens: Readonly<Record<Scheme, string>> = {
  light: `--ground:${usual.light.ground};--card:${usual.light.form};--soft:${usual.light.soft};--fill:${usual.light.fill};--on-fill:#fff;--link:${usual.light.link};--ink:#17212b;--quiet:#51606f;--line:#8593a1;--hair:#dbe1e8;--bad:#b3261e;--bad-soft:#fdecea;--google:#fff;--on-google:#1f1f1f;--google-line:#747775;--microsoft:#fff;--on-microsoft:#5e5e5e;--microsoft-line:#8c8c8c`,
  dark: `--ground:${usual.dark.ground};--card:${usual.dark.form};--soft:${usual.dark.soft};--fill:${usual.dark.fill};--on-fill:#000;--link:${usual.dark.link};--ink:#e9eef4;--quiet:#a9b8c6;--line:#728394;--hair:#2b3845;--bad:#ffb4ab;--bad-soft:#3b1a18;--google:#131314;--on-google:#e3e3e3;--google-line:#8e918f;--microsoft:#2f2f2f;--on-microsoft:#fff;--microsoft-line:#8c8c8c`,
}

const sheet = `
:root{--accent:var(--fill);--space:2rem;--place:center}
*{box-sizing:border-box}html{-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;align-items:var(--place);justify-content:center;padding:max(1rem,env(safe-area-inset-top)) clamp(1rem,6vw,6rem);background:var(--ground) center/cover no-repeat;color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Hiragino Sans","Noto Sans CJK JP","PingFang SC","Microsoft YaHei",sans-serif}
:lang(zh-Hans) body,body:lang(zh-Hans){font-family:system-ui,-apple-system,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
main{width:100%;max-width:28rem;background:var(--card);border-radius:1rem;border-top:.25rem solid var(--accent);padding:var(--space);box-shadow:0 1px 2px #0002,0 12px 40px #0002}
.app{display:flex;align-items:center;gap:.75rem;margin:0 0 1.25rem;color:var(--quiet);font-weight:600;overflow-wrap:anywhere}
.app img{width:2.5rem;height:2.5rem;object-fit:contain;border-radius:.4rem}
h1{font-size:1.45rem;line-height:1.25;letter-spacing:-.01em;margin:0 0 1rem;text-wrap:balance;overflow-wrap:anywhere}
:lang(ja) h1,:lang(zh-Hans) h1{letter-spacing:0;line-height:1.4;font-size:1.35rem}
p{margin:0 0 1rem;overflow-wrap:anywhere}h1:has(+p){margin-bottom:.5rem}h1+p{margin-bottom:1.25rem}.quiet{color:var(--quiet)}.small{font-size:.875rem}code{font-family:ui-monospace,Menlo,monospace;font-size:.92em;overflow-wrap:anywhere}main>.request{color:var(--quiet);margin:0}main>.button{margin:0 0 1rem}
a{color:var(--link);text-underline-offset:.15em}a:focus-visible,button:focus-visible,input:focus-visible,summary:focus-visible{outline:3px solid var(--link);outline-offset:2px}
ul{list-style:none;margin:0 0 1rem;padding:0;display:grid;gap:.6rem}.vendors{grid-template-columns:repeat(auto-fill,minmax(min(11rem,100%),1fr))}
.button,button{display:flex;align-items:center;gap:.85rem;width:100%;min-height:3.25rem;padding:.6rem 1rem;border-radius:.6rem;font:inherit;font-weight:600;text-align:start;text-decoration:none;cursor:pointer;border:1px solid var(--line);overflow-wrap:anywhere}
.button{background:var(--card);color:var(--ink)}.button:hover{background:var(--soft)}.button span{min-width:0;flex:1}
.mark{width:1.75rem;height:1.75rem;flex:none;color:var(--quiet);font-family:system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}.vendors .mark{width:1.5rem;height:1.5rem}.vendors .button{min-height:2.75rem;gap:.65rem;padding:.4rem .75rem;font-weight:500}
.button.google,.button.google:hover{background:var(--google);color:var(--on-google);border-color:var(--google-line)}.button.microsoft,.button.microsoft:hover{background:var(--microsoft);color:var(--on-microsoft);border-color:var(--microsoft-line)}.button.google:hover,.button.microsoft:hover{text-decoration:underline;text-underline-offset:.15em}.logo{width:1.3rem;height:1.3rem;flex:none;margin:0 .225rem}.vendors .logo{width:1.15rem;height:1.15rem;margin:0 .175rem}
button{justify-content:center;text-align:center;background:var(--fill);color:var(--on-fill)}button:hover{filter:brightness(.94)}
form{margin:0 0 1rem}label{display:block;font-weight:600;margin:0 0 .25rem}
.field{margin:0 0 1rem}.field .small{margin:.25rem 0 0}
input{width:100%;min-height:2.9rem;padding:.5rem .75rem;font:inherit;color:var(--ink);background:var(--card);border:1px solid var(--line);border-radius:.6rem}
[dir=rtl] input{text-align:right}
input[readonly]{background:var(--soft)}input[aria-invalid=true]{border:2px solid var(--bad)}.wrong{color:var(--bad);font-weight:600}
.alert{background:var(--bad-soft);border-inline-start:.25rem solid var(--bad);border-radius:.4rem;padding:.75rem 1rem;margin:0 0 1rem}.alert p{margin:0}.alert p+p{margin-top:.25rem}.alert details{margin:.25rem 0 0}.alert details p{margin:.25rem 0 0}
.advice,.way{background:var(--soft);border-radius:.6rem;padding:.85rem 1rem;margin:0 0 1.25rem}.advice p,.way p{margin:0 0 .5rem}.advice p:last-child,.way p:last-child{margin:0}.way .button{margin:.25rem 0}
fieldset{border:0;margin:0 0 .5rem;padding:0;min-width:0}legend{font-weight:700;padding:0;margin:0 0 .5rem}.more fieldset{border-top:1px solid var(--hair);padding-top:1rem}.more fieldset:first-of-type{border:0;padding-top:.25rem}
details{margin:0 0 1rem}summary{cursor:pointer;font-weight:600;padding:.5rem 0;min-height:2.75rem}details.small summary{font-weight:500;min-height:0;padding:.35rem 0;color:var(--quiet)}
.alert details.small summary{color:var(--ink)}
.or{display:flex;align-items:center;gap:.75rem;color:var(--quiet);margin:0 0 1rem}.or::before,.or::after{content:"";flex:1;border-top:1px solid var(--hair)}
.links{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:0}.links+.links{margin-top:.25rem}.links a{padding:.4rem 0}
footer{display:flex;flex-wrap:wrap;align-items:flex-start;justify-content:space-between;gap:.25rem 1.25rem;margin-top:1.25rem;padding-top:.75rem;border-top:1px solid var(--hair)}
footer .links a{color:var(--quiet)}
.languages{margin:0;flex:none}.languages[open]{flex:1 0 100%}.languages summary{display:inline-flex;align-items:center;gap:.5rem;min-height:2.2rem;padding:.25rem 0;font-weight:500;color:var(--quiet);list-style:none}.languages summary::-webkit-details-marker{display:none}.languages summary::after{content:"";width:.4rem;height:.4rem;border:solid;border-width:0 1.5px 1.5px 0;transform:translateY(-15%) rotate(45deg)}.languages[open] summary::after{transform:translateY(15%) rotate(225deg)}
.languages ul{grid-template-columns:repeat(auto-fill,minmax(min(7rem,100%),1fr));gap:.25rem;margin:.25rem 0 .5rem}.languages li a{display:block;padding:.45rem .6rem;border-radius:.4rem;color:var(--ink);text-decoration:none}.languages li a:hover,.languages a[aria-current]{background:var(--soft)}.languages a[aria-current]{font-weight:600}
@media(max-width:30rem){body{padding:0;justify-content:flex-start}main{max-width:none;border-radius:0;min-height:100vh;min-height:100dvh;box-shadow:none;padding:1.5rem 1.25rem}}
@media(prefers-reduced-motion:no-preference){.button,button{transition:background .15s,filter .15s}}`

/** An https URL as a CSS string; undefined for anything else. */
export function imageUrl(text: string | null | undefined): string | undefined {
  const url = URL.parse(text ?? '')
  return url?.protocol === 'https:' ? url.href : undefined
}

const cssUrl = (url: string): string => `url("${url.replace(/[\\"'()<>\s]/g, encodeURIComponent)}")`

/** `left` is the start of a line, because pages in right-to-left languages are mirrored. */
const places = { left: 'flex-start', center: 'center', right: 'flex-end' } as const

/** The variables of a color scheme: defaults and the application's choices. */
function variablesOf(appearance: HostedAuthentication, scheme: Scheme): string {
  const { fill, onFill, link, accent, ground } = colorsOf(appearance, scheme)
  const hasPrimary = parseColor(appearance.color_primary) !== undefined
  const own = [
    hasPrimary && `--fill:${hexOf(fill)};--on-fill:${hexOf(onFill)};--link:${hexOf(link)}`,
    (hasPrimary || parseColor(appearance.color_secondary)) && `--accent:${hexOf(accent)}`,
    parseColor(appearance.background_color) && `--ground:${hexOf(ground)}`,
  ].filter(Boolean)
  return [tokens[scheme], ...own].join(';')
}

/** The style sheet of an application's pages: light or dark by the reader's preference, or only one of them. */
export function styleOf(appearance: HostedAuthentication, scheme?: Scheme): string {
  const schemes = scheme
    ? `:root{color-scheme:${scheme};${variablesOf(appearance, scheme)}}`
    : `:root{color-scheme:light dark;${variablesOf(appearance, 'light')}}
@media(prefers-color-scheme:dark){:root{${variablesOf(appearance, 'dark')}}}`
  const image = imageUrl(appearance.background_image_url)
  const variables = [
    appearance.alignment && `--place:${places[appearance.alignment]}`,
    appearance.spacing != null && `--space:${Math.min(appearance.spacing, 96)}px`,
  ].filter(Boolean)
  const own = variables.length > 0 ? `\n:root:root{${variables.join(';')}}` : ''
  return `${sheet}\n${schemes}${own}${image ? `\n@media(min-width:30.01rem){body{background-image:${cssUrl(image)}}}` : ''}`
}
