// The life of an experiment, in order: a folder may import those above it, never below.
const layers = [
  'util',
  'stats',
  'define',
  'plan',
  'record',
  'process',
  'models',
  'targets',
  'perform',
  'execute',
  'engine',
  'analyze',
  'charts',
  'report',
  'serve',
  'cli',
]
const browserSafe = ['stats', 'analyze', 'charts']

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...layers.map((layer, index) => ({
      name: `${layer}-imports-upwards-only`,
      severity: 'error',
      from: { path: `^src/${layer}/` },
      to: { path: `^src/(${[...layers.slice(index + 1), 'index[.]ts'].join('|')})` },
    })),
    {
      name: 'browser-safe',
      severity: 'error',
      from: { path: `^src/(${browserSafe.join('|')})/` },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'only-known-folders',
      severity: 'error',
      from: { path: `^src/(?!(${layers.join('|')})/|index[.]ts$|api/)` },
      to: {},
    },
    { name: 'no-dev-dependencies', severity: 'error', from: { path: '^src/' }, to: { dependencyTypes: ['npm-dev'] } },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
  },
}
