/**
 * Makes a DSH home whose web profile has this package installed, the way a user's install from a tarball looks:
 * a real folder without its own copies of the host's packages, so that those resolve to the host's instances.
 */
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PAGE_SCRIPTS } from '../protocol-src/http-routes.ts'
import { inRoot, type Manifest } from './project.ts'
import { UserError } from './user-error.ts'

/** The bundles that each profile starts with; their order matters. */
const HOST_BUNDLES = {
  web: ['@deepseek-ai/dsh-base', '@deepseek-ai/dsh-web-app'],
  headless: ['@deepseek-ai/dsh-base', '@deepseek-ai/dsh-headless'],
} as const

/** Files of lib/ that pages load. */
const PAGE_FILES = ['client', ...PAGE_SCRIPTS].flatMap((name) => [`${name}.js`, `${name}.js.map`])

/** What is put into a home. */
export interface HomeOptions {
  /** Absolute path of the DSH home; created when absent. */
  dshHome: string
  /** Package folder to install; this checkout by default. Its lib/ must be built. */
  packageDir?: string
  /** `live`: what pages load is the checkout's own file, so that a rebuild reaches open pages. */
  client?: 'copied' | 'live'
  /** Which profile gets the package; `web` by default. */
  profile?: keyof typeof HOST_BUNDLES
  /** Written as settings.yaml when given; otherwise the existing one stays. */
  settings?: Record<string, unknown>
}

/** Installs or re-installs the package; other plugins and the user's patches in that home are kept. */
export const prepareDshHome = async (options: HomeOptions): Promise<void> => {
  const packageDir = options.packageDir ?? inRoot()
  const manifest = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')) as Manifest
  const { profile: profileName = 'web' } = options
  const profile = join(options.dshHome, 'profiles', profileName)
  await mkdir(profile, { recursive: true })
  await writeProfile(profile, profileName, manifest.name)
  await installPackage(join(profile, 'node_modules'), packageDir, options.client ?? 'copied')
  if (options.settings !== undefined) {
    // Every JSON document is a YAML document.
    await writeFile(join(options.dshHome, 'settings.yaml'), `${JSON.stringify(options.settings, null, 2)}\n`)
  }
}

interface Profile {
  name: string
  private: boolean
  dependencies: Record<string, string>
  dsh: { profile: { bundles: string[] } }
}

const writeProfile = async (
  profile: string,
  profileName: keyof typeof HOST_BUNDLES,
  packageName: string,
): Promise<void> => {
  const file = join(profile, 'package.json')
  const known = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Partial<Profile>) : {}
  const own = [...HOST_BUNDLES[profileName], packageName]
  const others = (known.dsh?.profile.bundles ?? []).filter((name) => !own.includes(name))
  const next: Profile = {
    name: `dsh-profile-${profileName}`,
    private: true,
    dependencies: {},
    ...known,
    dsh: { profile: { bundles: [...own, ...others] } },
  }
  await writeFile(file, `${JSON.stringify(next, null, 2)}\n`)
  for (const layer of ['cordis.yml', 'cordis.patch.yml']) {
    if (!existsSync(join(profile, layer))) await writeFile(join(profile, layer), '[]\n')
  }
}

const installPackage = async (modules: string, packageDir: string, client: 'copied' | 'live'): Promise<void> => {
  const manifest = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')) as Manifest
  const target = join(modules, manifest.name)
  await rm(target, { recursive: true, force: true })
  await mkdir(target, { recursive: true })
  for (const entry of ['package.json', ...manifest.files]) {
    const from = join(packageDir, entry)
    if (existsSync(from)) await cp(from, join(target, entry), { recursive: true, dereference: true, filter: isShipped })
  }
  if (client === 'live') {
    for (const name of PAGE_FILES) {
      await rm(join(target, 'lib', name), { force: true })
      await symlink(join(packageDir, 'lib', name), join(target, 'lib', name))
    }
  }
  for (const name of Object.keys(manifest.dependencies ?? {})) await linkDependency(modules, packageDir, name)
}

/** Type declarations are of no use at run time. */
const isShipped = (path: string): boolean => !/[\\/]lib[\\/]types([\\/]|$)/.test(path)

/** A link is enough for transitive dependencies too: Node resolves them from the link's real path. */
const linkDependency = async (modules: string, packageDir: string, name: string): Promise<void> => {
  if (name.startsWith('@deepseek-ai/')) {
    throw new UserError(`${name} is listed in dependencies; the host brings it. Move it to peerDependencies.`)
  }
  const from = [join(packageDir, 'node_modules', name), inRoot('node_modules', name)].find((path) => existsSync(path))
  if (from === undefined) throw new UserError(`The dependency ${name} is not installed. Run "npm ci", then try again.`)
  const to = join(modules, name)
  await mkdir(dirname(to), { recursive: true })
  await rm(to, { recursive: true, force: true })
  await symlink(from, to, 'dir')
}
