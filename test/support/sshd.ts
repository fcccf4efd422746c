/**
 * A real OpenSSH server on loopback with keys, accounts and configuration of its own, all in a temporary folder. Where this
 * user may have a mount namespace, the server has accounts with shells and passwords that nothing else on the machine sees.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from './wait.ts'

const run = promisify(execFile)

export const SSHD_PASSWORD = 'correct horse; "battery"'

export interface SshdOptions {
  /** Lines of sshd_config, in front of ours. */
  config?: readonly string[]
  hostKeys?: readonly ('ed25519' | 'rsa' | 'ecdsa')[]
  /** Files of every home, path to text. */
  homeFiles?: Readonly<Record<string, string>>
}

export interface Sshd extends AsyncDisposable {
  readonly port: number
  readonly folder: string
  /** Accounts by the name of their shell; without a namespace all are this user. */
  readonly user: (shell?: 'bash' | 'zsh' | 'fish') => string
  readonly home: (shell?: 'bash' | 'zsh' | 'fish') => string
  /** Where its sessions put temporary files. */
  readonly temporary: string
  readonly pid: number
  /** What it said. */
  log(): string
  /** Public key line of a host key. */
  hostKey(type: string): Promise<string>
  /** Let this key in. */
  authorize(publicKeyPath: string): Promise<void>
  /** Other keys from now on. */
  changeHostKeys(): Promise<void>
  restart(): Promise<void>
  stop(): Promise<void>
}

let namespaces: Promise<boolean> | undefined

/** Whether servers of tests can have accounts of their own. */
export const canHaveAccounts = (): Promise<boolean> =>
  (namespaces ??= run('unshare', ['-m', 'true']).then(
    () => process.getuid?.() === 0,
    () => false,
  ))

export const makeKey = async (
  path: string,
  how: { type?: string; passphrase?: string; pem?: boolean } = {},
): Promise<void> => {
  const { type = 'ed25519', passphrase = '', pem = false } = how
  const bits = type === 'rsa' ? ['-b', '2048'] : []
  const format = pem ? ['-m', 'PEM'] : []
  await run('ssh-keygen', ['-q', '-t', type, ...bits, ...format, '-N', passphrase, '-C', 'test', '-f', path])
}

const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const SHELLS = ['bash', 'zsh', 'fish'] as const

/** Accounts, and how passwords are checked, in front of the machine's own: seen by the server and what it starts only. */
const MASKED = [
  'set -e',
  'mount -t tmpfs tmpfs /run',
  'mkdir -p /run/sshd',
  'mount --bind "$1/passwd" /etc/passwd',
  'mount --bind "$1/shadow" /etc/shadow',
  'mount --bind "$1/pam" /etc/pam.d/sshd',
  'exec /usr/sbin/sshd -D -e -f "$1/sshd_config"',
].join('\n')

export const startSshd = async (options: SshdOptions = {}): Promise<Sshd> => {
  const folder = await mkdtemp(join(tmpdir(), 'dsh-tty-sshd-'))
  const hasAccounts = await canHaveAccounts()
  const port = await freePort()
  const types = options.hostKeys ?? ['ed25519']
  const hostKeyPath = (type: string): string => join(folder, `host_${type}`)
  const makeHostKeys = async (): Promise<void> => {
    for (const type of types) {
      await rm(hostKeyPath(type), { force: true })
      await rm(`${hostKeyPath(type)}.pub`, { force: true })
      await makeKey(hostKeyPath(type), { type })
    }
  }
  await makeHostKeys()
  await writeFile(join(folder, 'authorized_keys'), '')
  await mkdir(join(folder, 'tmp'))
  const homes = hasAccounts ? SHELLS : (['bash'] as const)
  for (const shell of homes) {
    await mkdir(join(folder, 'home', shell), { recursive: true })
    for (const [path, text] of Object.entries({
      '.bashrc': "PS1='$ '\n",
      '.zshrc': "PS1='%# '\n",
      ...options.homeFiles,
    })) {
      await mkdir(join(folder, 'home', shell, path, '..'), { recursive: true })
      await writeFile(join(folder, 'home', shell, path), text)
    }
  }
  if (hasAccounts) {
    const accounts = SHELLS.map((shell) => `${shell}:x:0:0::${join(folder, 'home', shell)}:/usr/bin/${shell}`)
    await writeFile(join(folder, 'passwd'), `${await readFile('/etc/passwd', 'utf8')}${accounts.join('\n')}\n`)
    const { stdout: hash } = await run('perl', ['-e', 'print crypt($ARGV[0], q($6$dshtty$))', SSHD_PASSWORD])
    const secrets = SHELLS.map((shell) => `${shell}:${hash}:20000:0:99999:7:::`)
    await writeFile(join(folder, 'shadow'), `${secrets.join('\n')}\n`, { mode: 0o600 })
    const pam = [
      'auth required pam_unix.so nodelay',
      'account required pam_permit.so',
      'session required pam_permit.so',
    ]
    await writeFile(join(folder, 'pam'), `${pam.join('\n')}\n`)
  }
  await writeFile(
    join(folder, 'sshd_config'),
    [
      ...(options.config ?? []),
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      ...types.map((type) => `HostKey ${hostKeyPath(type)}`),
      'PidFile none',
      `AuthorizedKeysFile ${join(folder, 'authorized_keys')}`,
      'StrictModes no',
      'PermitRootLogin yes',
      `UsePAM ${hasAccounts ? 'yes' : 'no'}`,
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'PrintMotd no',
      'AcceptEnv *',
      'LogLevel VERBOSE',
      'UseDNS no',
      'Subsystem sftp internal-sftp',
      // One line: of several the first counts.
      `SetEnv TMPDIR=${join(folder, 'tmp')}${hasAccounts ? '' : ` HOME=${join(folder, 'home', 'bash')}`}`,
      '',
    ].join('\n'),
  )
  let child: ChildProcess | undefined
  let said = ''
  const start = async (): Promise<void> => {
    const [command, args] = hasAccounts
      ? ['unshare', ['-m', '/bin/sh', '-c', MASKED, 'sshd', folder]]
      : ['/usr/sbin/sshd', ['-D', '-e', '-f', join(folder, 'sshd_config')]]
    const from = said.length
    const started = spawn(command as string, args as string[], { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
    child = started
    started.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    await until(
      () => {
        if (started.exitCode !== null) throw new Error(`sshd ended: ${said.slice(from)}`)
        return said.slice(from).includes('Server listening')
      },
      { what: 'sshd to listen' },
    )
  }
  const stop = async (): Promise<void> => {
    const ending = child
    if (ending?.pid === undefined || ending.exitCode !== null) return
    const ended = new Promise((resolve) => ending.once('exit', resolve))
    // Its sessions are in groups of their own and end with their connections.
    process.kill(-ending.pid, 'SIGTERM')
    await ended
  }
  await start()
  const sshd: Sshd = {
    port,
    folder,
    temporary: join(folder, 'tmp'),
    get pid() {
      return child?.pid ?? 0
    },
    user: (shell = 'bash') => (hasAccounts ? shell : userInfo().username),
    home: (shell = 'bash') => join(folder, 'home', hasAccounts ? shell : 'bash'),
    log: () => said,
    hostKey: async (type) => (await readFile(`${hostKeyPath(type)}.pub`, 'utf8')).trim(),
    authorize: async (path) => {
      await writeFile(join(folder, 'authorized_keys'), await readFile(path, 'utf8'), { flag: 'a' })
    },
    changeHostKeys: async () => {
      await stop()
      await makeHostKeys()
      await start()
    },
    restart: async () => {
      await stop()
      await start()
    },
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
  return sshd
}

/** An agent of its own. @param keys paths of private keys, in the order in which it offers them */
export const startSshAgent = async (
  folder: string,
  keys: readonly string[],
): Promise<AsyncDisposable & { socket: string }> => {
  const socket = join(folder, `agent-${keys.length}-${Math.trunc(performance.now())}`)
  const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' })
  await until(
    () =>
      run('ssh-add', ['-l'], { env: { ...process.env, SSH_AUTH_SOCK: socket } }).then(
        () => true,
        (error: { code?: number }) => error.code === 1, // no identities: it answers
      ),
    { what: 'the agent to answer' },
  )
  for (const key of keys) await run('ssh-add', ['-q', key], { env: { ...process.env, SSH_AUTH_SOCK: socket } })
  return {
    socket,
    [Symbol.asyncDispose]: async () => {
      const ended = new Promise((resolve) => agent.once('exit', resolve))
      agent.kill()
      await ended
    },
  }
}
