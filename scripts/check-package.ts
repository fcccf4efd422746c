/** Packs the package the way it is published and checks what is in the tarball. lib/ must be built. */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { PAGE_SCRIPTS } from '../protocol-src/http-routes.ts'
import { runCommand } from './command.ts'
import { isMain, readManifest } from './project.ts'
import { runMain, UserError } from './user-error.ts'

/** Files that a user's install cannot do without. */
const NEEDED_FILES = [
  'package.json',
  'cordis.patch.yml',
  'README.md',
  'LICENSE',
  'lib/index.js',
  'lib/start.js',
  'lib/client.js',
  ...PAGE_SCRIPTS.map((name) => `lib/${name}.js`),
  'lib/screen-worker.js',
  'lib/hooks/bash.sh',
  'lib/hooks/zsh.zsh',
  'lib/hooks/fish.fish',
  'lib/hooks/pwsh.ps1',
  'lib/types/host-src/index.d.ts',
  'lib/types/client-src/index.d.ts',
]

/** What must not be published. */
const UNWANTED = /(^|\/)(test|scripts|node_modules|\.[^/]+)(\/|$)|\.tsbuildinfo$|(?<!\.d)\.tsx?$/

/** Sentences about the packed files; empty when nothing is wrong. */
export const fileProblems = (files: readonly string[]): string[] => [
  ...NEEDED_FILES.filter((needed) => !files.includes(needed)).map((needed) => `${needed} is not in the package`),
  ...files.filter((file) => UNWANTED.test(file)).map((file) => `${file} does not belong into the package`),
]

/** Sentences about dependencies that break an install into the host; empty when nothing is wrong. */
export const dependencyProblems = (dependencies: Readonly<Record<string, string>>): string[] =>
  Object.keys(dependencies)
    .filter((name) => name.startsWith('@deepseek-ai/') || name === 'react')
    .map((name) => `${name} is a dependency: it would install a second copy beside the host's`)

interface PackedInfo {
  filename: string
  files: { path: string }[]
}

/** Packs into a temporary folder, checks the files and runs publint on the tarball. */
export const checkPackage = async (): Promise<string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'dsh-tty-pack-'))
  try {
    const { code, output, stdout } = await runCommand('npm', [
      ...['pack', '--json', '--ignore-scripts'],
      ...['--pack-destination', folder],
    ])
    const [packed] = code === 0 ? (JSON.parse(stdout) as PackedInfo[]) : []
    if (packed === undefined) throw new UserError(`"npm pack" failed:\n${output}`)
    return [
      ...fileProblems(packed.files.map(({ path }) => path)),
      ...dependencyProblems(readManifest().dependencies),
      ...(await publintProblems(join(folder, packed.filename), folder)),
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const publintProblems = async (tarball: string, folder: string): Promise<string[]> => {
  const unpacked = join(folder, 'unpacked')
  await mkdir(unpacked)
  const { code, output } = await runCommand('tar', ['-xzf', tarball, '-C', unpacked])
  if (code !== 0) throw new UserError(`The tarball cannot be unpacked:\n${output}`)
  const pkgDir = join(unpacked, 'package')
  const manifest = JSON.parse(await readFile(join(pkgDir, 'package.json'), 'utf8')) as Record<string, unknown>
  const { messages } = await publint({ pkgDir, pack: false, level: 'warning', strict: true })
  return messages
    .filter(({ code: kind, path }) => !isScriptBundle(kind, path))
    .map((message) => `publint: ${formatMessage(message, manifest, { color: false }) ?? message.code}`)
}

/** lib/client.js is a classic script for the module loader: its format is not for Node to judge. */
const isScriptBundle = (kind: string, path: readonly string[]): boolean =>
  kind.startsWith('FILE_INVALID') && path.includes('./client')

if (isMain(import.meta.url)) {
  runMain(async () => {
    const problems = await checkPackage()
    if (problems.length > 0) throw new UserError(problems.join('\n'))
    process.stdout.write('the package is in order\n')
  })
}
