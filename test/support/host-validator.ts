/** The validator of the installed host, for results of tools. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const HOST_PACKAGES = join(import.meta.dirname, '../../.dsh/host/node_modules/.pnpm/node_modules/@deepseek-ai')

export interface HostValidator {
  /** Throws for a schema outside the enforced subset. */
  assertSupportedJsonSchema(schema: unknown): void
  /** Every violation; empty means valid. */
  validateJsonSchemaValue(schema: unknown, value: unknown): string[]
}

/** The host must be installed. */
export const loadHostValidator = async (): Promise<HostValidator> =>
  (await import(pathToFileURL(join(HOST_PACKAGES, 'dsh-tools/lib/index.js')).href)) as HostValidator
