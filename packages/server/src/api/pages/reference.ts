/** The reference page at `/docs`: one HTML file without script, made from the contract. */
import { type Contract, errors, methodsOf, type NamedRoute, type Route, routesOf } from '@waypost/contract'
import { z } from 'zod'
import { errorsOf } from '../openapi/errors-of.ts'

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign)

/** Escaped text with `code` in backticks. */
const prose = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')

const style = `
:root{color-scheme:light dark;--line:#d8dee6;--soft:#f4f6f9;--ink:#1b2733;--quiet:#5b6b7c;--accent:#0b62c4}
@media(prefers-color-scheme:dark){:root{--line:#2c3844;--soft:#172029;--ink:#e4eaf1;--quiet:#9badbf;--accent:#6db1ff;background:#0f161d}}
*{box-sizing:border-box}body{margin:0;font:16px/1.55 system-ui,sans-serif;color:var(--ink);display:grid;grid-template-columns:16rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.5rem;border-right:1px solid var(--line);font-size:.875rem}
nav h2{font-size:.8rem;margin:1.2rem 0 .2rem;color:var(--quiet);font-weight:600}nav a{display:block;padding:.15rem 0}
main{padding:2rem clamp(1rem,4vw,4rem);max-width:62rem}a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}
article{border-top:1px solid var(--line);padding:1.5rem 0}h1{margin:0 0 .5rem}h3{margin:0 0 .4rem;font-size:1.1rem}
.at{font:600 .9rem ui-monospace,monospace;overflow-wrap:anywhere}.at b{color:var(--accent)}
table{border-collapse:collapse;width:100%;margin:.8rem 0;font-size:.9rem}th,td{text-align:left;padding:.35rem .6rem .35rem 0;border-bottom:1px solid var(--line);vertical-align:top}
th{color:var(--quiet);font-weight:600}code,pre{font:.85em ui-monospace,monospace;background:var(--soft);border-radius:4px}code{padding:.1em .3em}
pre{padding:.8rem 1rem;overflow:auto}.quiet{color:var(--quiet)}details{margin:.6rem 0}summary{cursor:pointer}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto;border-right:0;border-bottom:1px solid var(--line)}nav a{display:inline-block;margin-right:.8rem}nav h2{margin:.7rem 0 0}}`

type Json = Record<string, unknown>

interface Field {
  name: string
  type: string
  required: boolean
  description: string
}

function typeOf(schema: Json): string {
  if (typeof schema.$ref === 'string') return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map(typeOf).join(' | ')
  if (schema.type === 'array') return `${typeOf((schema.items ?? {}) as Json)}[]`
  return Array.isArray(schema.type) ? schema.type.join(' | ') : String(schema.type ?? schema.const ?? 'any')
}

/** The fields of an object; a union has those of all its forms. What is no object is the one value of `data`. */
function fieldsOf(schema: z.ZodType, io: 'input' | 'output'): Field[] {
  const json = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  const defs = (json.$defs ?? {}) as Record<string, Json>
  const name = typeof json.$ref === 'string' ? json.$ref.slice(json.$ref.lastIndexOf('/') + 1) : ''
  const root = defs[name] ?? json
  if ('const' in root) return [{ name: 'data', type: JSON.stringify(root.const), required: true, description: '' }]
  const forms = Array.isArray(root.anyOf) ? (root.anyOf as Json[]) : [root]
  const fields = new Map<string, Field>()
  for (const form of forms) {
    const required = new Set(Array.isArray(form.required) ? form.required : [])
    for (const [field, facts] of Object.entries((form.properties ?? {}) as Record<string, Json>)) {
      const description = String(facts.description ?? '')
      fields.set(field, { name: field, type: typeOf(facts), required: required.has(field), description })
    }
  }
  return [...fields.values()]
}

const queryFields = (schema: z.ZodObject): Field[] =>
  Object.entries(schema.shape).map(([name, field]) => {
    const json = z.toJSONSchema(field as z.ZodType, { io: 'input', unrepresentable: 'any' }) as Record<string, unknown>
    const facts = [json.description, json.default === undefined ? '' : `Default ${json.default}.`]
    const needed = !(field as z.ZodType).safeParse(undefined).success
    return { name, type: typeOf(json), required: needed, description: facts.filter(Boolean).join('. ') }
  })

function table(title: string, fields: readonly Field[]): string {
  if (fields.length === 0) return ''
  const rows = fields.map(
    (field) =>
      `<tr><td><code>${escapeHtml(field.name)}</code>${field.required ? ' <b title="required">*</b>' : ''}</td><td class="quiet">${escapeHtml(field.type)}</td><td>${prose(field.description)}</td></tr>`,
  )
  return `<table><thead><tr><th>${title}</th><th>Type</th><th></th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

/** The fields of its query that a route cannot do without, to be filled in. */
function neededOf({ query }: Route): string {
  const needed = query ? queryFields(query).filter((field) => field.required) : []
  return needed.map(({ name }, index) => `${index === 0 ? '?' : '&'}${name}=<${name}>`).join('')
}

/** A curl line for the route, to be filled in. */
function curlOf({ route }: NamedRoute): string {
  const credential = {
    public: '',
    client: '',
    application: ' -H "Authorization: Bearer $WAYPOST_API_KEY"',
    grant: ' -H "Authorization: Bearer $WAYPOST_API_KEY"',
    administrator: ' -u "admin:$WAYPOST_ADMIN_PASSWORD"',
  }[route.audience]
  const path = route.path.replace(/:([a-z_]+)/g, '<$1>')
  const method = route.method === 'GET' ? '' : ` -X ${route.method}`
  const form = route.parts && ` -F '${route.parts[0]}={…}' -F file0=@<file>`
  const body = form ?? (route.body ? ` -H "Content-Type: application/json" -d '{…}'` : '')
  const save = route.bytes ? ' -OJ' : ''
  return `curl${method}${save} "http://127.0.0.1:3000${path}${neededOf(route)}"${credential}${body}`
}

const formNote = ({ parts, later }: Route): string =>
  [
    parts ? 'The body is JSON, or a form as in the example below.' : '',
    later ? `Status ${later} where the work is left for later.` : '',
  ]
    .filter(Boolean)
    .join(' ')

function article(named: NamedRoute): string {
  const { route, id } = named
  const failures = errorsOf(named).map(
    (code) =>
      `<tr><td>${errors[code].status}</td><td><code>${errors[code].type}</code></td><td>${prose(errors[code].title)}</td></tr>`,
  )
  const file = route.bytes ? '<p>Answers with the bytes of the file, under its own content type and name.</p>' : ''
  const beside = route.beside ? table('Answer, beside data', fieldsOf(route.beside, 'output')) : ''
  const answer = route.returns
    ? table(route.list ? 'Answer, each item' : 'Answer', fieldsOf(route.returns, 'output'))
    : file
  return `<article id="${id}"><h3>${escapeHtml(route.summary)}</h3>
<p class="at"><b>${methodsOf(route).join(' / ')}</b> ${escapeHtml(route.path)} <span class="quiet">${id}</span></p>
${[route.description, formNote(route)].map((text) => (text ? `<p>${prose(text)}</p>` : '')).join('')}
${route.query ? table('Query', queryFields(route.query)) : ''}${route.body ? table('Body', fieldsOf(route.body, 'input')) : ''}${answer}${beside}
<pre>${escapeHtml(curlOf(named))}</pre>
<details><summary>Errors</summary><table><tbody>${failures.join('')}</tbody></table></details></article>`
}

/** The page as one text. */
export function referencePage(contract: Contract): string {
  const routes = routesOf(contract)
  const menu = Object.keys(contract).map((resource) => {
    const links = routes
      .filter((named) => named.resource === resource)
      .map((named) => `<a href="#${named.id}">${escapeHtml(named.operation)}</a>`)
    return `<h2>${escapeHtml(resource)}</h2>${links.join('')}`
  })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Waypost API reference</title><style>${style}</style></head><body>
<nav aria-label="Operations"><strong>Waypost</strong><br><a href="/openapi.json">openapi.json</a>${menu.join('')}</nav>
<main><h1>API reference</h1><p>Every answer but a file is JSON with a <code>request_id</code>, which also stands in the header <code>x-request-id</code>. Fields marked * are required. Answers to lists carry <code>next_cursor</code> while there is more; send it back as <code>page_token</code>.</p>
${routes.map(article).join('\n')}</main></body></html>`
}
