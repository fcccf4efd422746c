/** Laws over the error codes: one table, and every code that the host can say is in it. */
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ERROR_TABLE, errorCodeSchema, wireErrorSchema } from '../../protocol-src/errors.ts'

const HOST_SRC = fileURLToPath(new URL('../../host-src', import.meta.url))

const codesSaidByTheHost = async (): Promise<Set<string>> => {
  const codes = new Set<string>()
  for (const name of await readdir(HOST_SRC, { recursive: true })) {
    if (!name.endsWith('.ts')) continue
    const text = await readFile(join(HOST_SRC, name), 'utf8')
    for (const [, code] of text.matchAll(/new TtyError\(\s*'(\w+)'/g)) codes.add(code as string)
  }
  return codes
}

describe('the error table', () => {
  it.each(Object.entries(ERROR_TABLE))('%s has a status that fits', (code, { status, retryable }) => {
    expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(600)
    // What may be tried again by itself is the server's state, not the client's mistake.
    if (retryable) expect(status).toBe(503)
  })

  it('is what the wire takes', () => {
    expect([...errorCodeSchema.options].sort()).toEqual(Object.keys(ERROR_TABLE).sort())
    for (const code of Object.keys(ERROR_TABLE))
      expect(wireErrorSchema.safeParse({ code, message: 'x' }).success).toBe(true)
    expect(wireErrorSchema.safeParse({ code: 'NO_SUCH_CODE', message: 'x' }).success).toBe(false)
  })

  it('has every code that the host says', async () => {
    const said = await codesSaidByTheHost()
    expect(said.size).toBeGreaterThan(10)
    for (const code of said) expect(Object.keys(ERROR_TABLE)).toContain(code)
  })
})
