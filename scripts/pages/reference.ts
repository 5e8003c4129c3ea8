/** The reference, and the frame of the guides: packages/docs/dist/app, which the server serves at /docs. */
import path from 'node:path'
import { bundleOf, type Replacement, replaceModules } from './bundle.ts'
import { compress } from './compress.ts'
import { filesIn, type PagePart, packages } from './part.ts'

const root = path.join(packages, 'docs')
export const appDist = path.join(root, 'dist/app')
const own = (name: string): string => path.join(root, 'src/replaced', `${name}.ts`)

/** Parts of Scalar that the page does not show. */
const hidden = [
  'components/AgentScalar/AgentScalarButton.vue.js',
  'components/AgentScalar/AgentScalarDrawer.vue.js',
  'components/AgentScalar/OpenMCPButton.vue.js',
  'features/developer-tools/DeveloperTools.vue.js',
  'features/Search/components/SearchButton.vue.js',
]

/** Parts of Scalar that the page does not need or replaces by smaller ones. Each replacement says why. */
const replacements: Replacement[] = [
  ...hidden.map((file) => ({ file: `/api-reference/dist/${file}`, by: own('nothing'), hasDefault: true as const })),
  { file: '/@scalar/code-highlight/dist/index.js', by: own('code-highlight') },
  { file: '/@scalar/code-highlight/dist/markdown/index.js', by: own('code-highlight') },
  ...['api-client/dist/v2', 'api-reference/dist'].flatMap((folder) =>
    ['ar', 'de', 'es', 'fr', 'pt', 'ru', 'zh-cn'].map((locale) => ({
      file: `/${folder}/features/localization/locales/${locale}.js`,
      by: own('locales'),
    })),
  ),
  { file: '/@scalar/icons/dist/library/icons.js', by: own('library-icons') },
  { file: '/@scalar/snippetz/dist/clients/index.js', by: own('sample-clients') },
  { file: '/@scalar/themes/dist/index.js', by: own('themes') },
  { file: '/@scalar/types/dist/entities/index.js', by: own('entities') },
  { file: '/@scalar/use-toasts/dist/index.js', by: own('toasts') },
  { file: '/request-example/builder/header/is-param-disabled.js', by: own('is-param-disabled') },
  // The page adopts the editor's styles as a style sheet, as a shadow tree would: the policy rejects style elements.
  { file: '/style-mod/src/style-mod.js', piece: ['!root.head && root.adoptedStyleSheets', 'root.adoptedStyleSheets'] },
  // Text instead of HTML: under the page's policy, only Vue may write HTML (trusted types).
  {
    file: '/use-codemirror/dist/hooks/useCodeMirror.js',
    piece: ['icon.innerHTML = open ? CHEVRON_DOWN : CHEVRON_RIGHT', "icon.textContent = open ? '⌄' : '›'"],
  },
  { file: '/ScalarTooltip/useTooltip.js', piece: ['el.value.innerHTML = ""', 'el.value.textContent = ""'] },
  // Our own tests validate the description. Scalar would only log its findings.
  {
    file: '/@scalar/workspace-store/dist/client.js',
    piece: ['Value.Check(OpenAPIDocumentSchemaStrict, strictDocument)', 'true'],
  },
  { file: '/@unhead/vue/dist/index.mjs', by: own('head') },
  { file: '/yaml/browser/index.js', by: own('yaml'), hasDefault: true },
]

export const reference: PagePart = {
  name: 'reference',
  built: path.join(appDist, 'index.html'),
  sources: () => [
    ...filesIn(path.join(root, 'src')),
    ...['index.html', 'guide.html', 'package.json'].map((name) => path.join(root, name)),
    path.join(packages, 'dashboard/src/theme.ts'),
    path.join(packages, 'dashboard/src/styles/tokens.css'),
  ],
  async build() {
    const { build } = await import('vite')
    const bundle = bundleOf({
      root,
      dist: appDist,
      base: '/docs/',
      pages: [path.join(root, 'index.html'), path.join(root, 'guide.html')],
      plugins: [replaceModules(replacements)],
      define: {
        __VUE_OPTIONS_API__: 'true',
        __VUE_PROD_DEVTOOLS__: 'false',
        __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
      },
      // Scalar does not declare its modules free of side effects. They are, so unused ones are left out.
      rolldown: {
        // Reads only the modules that are imported through an index, such as 90 of Scalar's 3,000 icons.
        experimental: { lazyBarrel: true },
        treeshake: { moduleSideEffects: (id) => !id.includes('/node_modules/') || id.endsWith('.css') },
      },
    })
    await build(bundle)
    return compress(path.join(appDist, 'assets'))
  },
}
