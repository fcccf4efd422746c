/** The connection book of a test, with everything around it, over settings and credentials in memory. */
import { BookRequests } from '../../host-src/gateway/book-requests.ts'
import { SettingsStore } from '../../host-src/settings/settings-store.ts'
import { ConnectionBook } from '../../host-src/ssh/connection-book.ts'
import { HostKeys } from '../../host-src/ssh/host-keys.ts'
import { Secrets } from '../../host-src/ssh/secrets.ts'
import { SshImport } from '../../host-src/ssh/ssh-import.ts'
import { recordingLogger } from './recording-logger.ts'

export const testBook = ({ home = '/nowhere', mayProxy = false } = {}) => {
  const logger = recordingLogger()
  const settings = new SettingsStore(logger)
  /** What the credential store holds. */
  const held: Record<string, string> = {}
  const credentials = {
    resolve: async (name: string) => held[name] ?? null,
    set: async (name: string, value: string) => {
      held[name] = value
    },
    unset: async (name: string) => {
      delete held[name]
    },
  }
  const secrets = new Secrets({ credentials: () => credentials, hostEnv: {}, logger })
  const book = new ConnectionBook({ settings, secrets })
  const hostKeys = new HostKeys({ settings })
  const files = new SshImport({ book, hostKeys, user: { home, name: 'me' } })
  const requests = new BookRequests({ settings, secrets, book, hostKeys, files, mayProxy })
  return { settings, held, secrets, book, hostKeys, files, requests }
}
