// Who may import whom. Everything below is generated from ORDER and WALLS: rooms from left to right, a room imports
// rooms to its left only, and rooms of one column never import each other. docs/architecture.md draws the same picture.

const ORDER = {
  'host-src': [
    ['base'],
    ['settings', 'journal', 'terminal'],
    ['ssh'],
    ['backends'],
    ['sessions'],
    ['sftp', 'tunnels', 'stats'],
    ['tools'],
    ['gateway', 'services'],
    ['dsh'],
  ],
  'client-src': [
    // The store primitive knows nothing of the app, so the connection may publish its state with it.
    ['stores/store.ts'],
    ['connection'],
    // One file of words per area; locales.ts is their sum.
    ['words'],
    // What stands over a terminal: a terminal asks for it, a store keeps it, the panel shows it.
    ['locales.ts', 'keys.ts', 'touch-keys.ts', 'stores/popup-model.ts'],
    ['webgl'],
    ['terminal', 'stores'],
    ['panel', 'services'],
    ['settings', 'help', 'guests', 'ssh'],
  ],
}

/** Rooms that are scripts of their own, loaded when they are needed (scripts/page-scripts.ts). */
const LAZY_ROOMS = ['webgl', 'terminal', 'settings', 'help', 'guests', 'ssh']

/** Third-party modules and the only places that may import them. */
const WALLS = [
  {
    name: 'node-pty',
    module: 'node_modules/node-pty/',
    only: ['host-src/backends/(local-backend|node-pty-module)\\.ts'],
  },
  {
    name: 'ssh2',
    module: 'node_modules/(@types/)?ssh2/',
    only: ['host-src/backends/ssh/'],
  },
  { name: 'ssh-config', module: 'node_modules/ssh-config/', only: ['host-src/ssh/'] },
  { name: 'ws', module: 'node_modules/(@types/)?ws/', only: ['host-src/gateway/'] },
  { name: 'sqlite', module: '^(node:)?sqlite$', only: ['host-src/journal/sqlite-journal\\.ts'] },
  { name: 'xterm-headless', module: 'node_modules/@xterm/headless/', only: ['host-src/terminal/'] },
  {
    name: 'xterm-serialize',
    module: 'node_modules/@xterm/addon-serialize/',
    only: ['host-src/terminal/', 'client-src/terminal/'],
  },
  {
    name: 'xterm-graphemes',
    module: 'node_modules/@xterm/addon-unicode-graphemes/',
    only: ['host-src/terminal/', 'client-src/terminal/'],
  },
  {
    name: 'xterm',
    module: 'node_modules/@xterm/(?!headless/|addon-serialize/|addon-unicode-graphemes/)',
    only: ['client-src/terminal/', 'client-src/webgl/'],
  },
  { name: 'screen-src', module: '^screen-src/', only: ['screen-src/', 'host-src/terminal/', 'client-src/terminal/'] },
  {
    name: 'dsh',
    module: 'node_modules/@deepseek-ai/',
    only: ['host-src/dsh/', 'host-src/(index|start)\\.ts', 'client-src/(index|(settings|services|ssh)-entry)\\.ts'],
  },
  {
    name: 'react',
    module: 'node_modules/(@types/)?react(-dom)?/',
    only: ['client-src/panel/', 'client-src/settings/', 'client-src/help/', 'client-src/guests/', 'client-src/ssh/'],
  },
]

/** `base` is a folder, `store.ts` a file. */
const pattern = (root, entry) => `^${root}/${entry}${entry.endsWith('.ts') ? '$' : '/'}`.replaceAll('.ts', '\\.ts')

/** Entries nested in another entry are more specific: `stores/store.ts` is not part of the room `stores`. */
const nestedIn = (root, entry, all) =>
  all.filter((other) => other !== entry && other.startsWith(`${entry}/`)).map((other) => pattern(root, other))

const pathOf = (root, entry, all) => {
  const except = nestedIn(root, entry, all)
  return except.length === 0 ? { path: pattern(root, entry) } : { path: pattern(root, entry), pathNot: except }
}

const layering = Object.entries(ORDER).flatMap(([root, columns]) => {
  const all = columns.flat()
  return columns.flatMap((column, at) =>
    column.map((room) => {
      const visible = new Set([room, ...columns.slice(0, at).flat()])
      const hidden = all.filter((other) => !visible.has(other))
      // A nested entry that is visible must not be caught by the pattern of the hidden room around it.
      const shown = [...visible].filter((other) => hidden.some((room) => other.startsWith(`${room}/`)))
      return {
        name: `${root}-${room}-looks-left-only`,
        severity: 'error',
        from: pathOf(root, room, all),
        to: {
          path: [...hidden.map((other) => pattern(root, other)), `^${root}/[^/]+\\.tsx?$`],
          pathNot: [...shown, ...[...visible].filter((other) => other.endsWith('.ts'))].map((each) =>
            pattern(root, each),
          ),
        },
      }
    }),
  )
})

const unlisted = Object.entries(ORDER).flatMap(([root, columns]) => {
  const stray = { path: `^${root}/[^/]+/`, pathNot: columns.flat().map((room) => pattern(root, room)) }
  const name = `${root}-room-has-no-place-in-the-order`
  return [
    { name, severity: 'error', from: stray, to: {} },
    { name, severity: 'error', from: {}, to: stray },
  ]
})

const walls = WALLS.map(({ name, module, only }) => ({
  name: `only-its-owner-imports-${name}`,
  severity: 'error',
  from: { path: '^(protocol|screen|host|client)-src/', pathNot: only.map((place) => `^${place}`) },
  to: { path: module },
}))

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'protocol-imports-nothing-but-zod',
      severity: 'error',
      from: { path: '^protocol-src/' },
      to: { pathNot: ['^protocol-src/', 'node_modules/zod/'] },
    },
    {
      name: 'screen-imports-nothing',
      severity: 'error',
      from: { path: '^screen-src/' },
      to: { pathNot: '^screen-src/' },
    },
    { name: 'host-never-meets-client', severity: 'error', from: { path: '^host-src/' }, to: { path: '^client-src/' } },
    { name: 'client-never-meets-host', severity: 'error', from: { path: '^client-src/' }, to: { path: '^host-src/' } },
    {
      name: 'sources-never-import-tooling',
      severity: 'error',
      from: { path: '^(protocol|screen|host|client)-src/' },
      to: { path: '^(scripts|test|lib)/' },
    },
    {
      name: 'every-import-resolves',
      severity: 'error',
      from: { path: '^(protocol|screen|host|client)-src/' },
      to: { couldNotResolve: true, pathNot: '\\.css$' },
    },
    // Anything else would put them into the script that the app's first frame waits for.
    ...LAZY_ROOMS.map((room) => ({
      name: `only-types-of-${room}-leave-its-room`,
      severity: 'error',
      from: { path: '^client-src/', pathNot: `^client-src/${room}/` },
      to: { path: `^client-src/${room}/`, dependencyTypesNot: ['type-only'] },
    })),
    ...layering,
    ...unlisted,
    ...walls,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['types', 'import', 'node', 'default'] },
  },
}
