import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importPreviewSchema } from '../../../../protocol-src/ssh-import.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { testBook } from '../../../support/test-book.ts'

const blob = Buffer.concat([Buffer.from([0, 0, 0, 11]), Buffer.from('ssh-ed25519'), Buffer.from('key')])
const KEY = `ssh-ed25519 ${blob.toString('base64')}`

const open = async (files: Readonly<Record<string, string>>) => {
  const home = await temporaryFolder()
  await mkdir(join(home, '.ssh'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(home, '.ssh', name), text)
  return testBook({ home })
}

describe('SshImport', () => {
  it('shows what there is, and takes over what was chosen with what stands before it', async () => {
    const { files, book, hostKeys } = await open({
      config: 'Host taken\nHost bastion\nHost behind\n  ProxyJump bastion\nHost commanded\n  ProxyCommand nc %h %p\n',
      known_hosts: `a ${KEY}\n*.b ${KEY}\n`,
    })
    await book.add([
      { name: 'taken', host: 'mine', port: 22, username: 'x', auth: 'agent', agentForward: false, persist: true },
    ])
    const preview = importPreviewSchema.parse(await files.preview())
    expect(preview.entries.map(({ name, state }) => [name, state])).toEqual([
      ['taken', 'taken'],
      ['bastion', 'new'],
      ['behind', 'new'],
      ['commanded', 'blocked'],
    ])
    expect(preview).toMatchObject({
      newHostKeys: 1,
      knownHostKeys: 0,
      hostKeyNotes: [{ code: 'pattern', what: '*.b' }],
    })
    await files.apply({ names: ['behind'], hostKeys: true })
    expect(book.entries.map(({ name }) => name)).toEqual(['taken', 'bastion', 'behind'])
    expect(hostKeys.check({ host: 'a', port: 22, alias: null }, { type: 'ssh-ed25519', blob })).toEqual({
      verdict: 'known',
    })
    expect(await files.preview()).toMatchObject({ newHostKeys: 0, knownHostKeys: 1 })
  })

  it.each(['commanded', 'not there'])('takes nothing over when it is asked for "%s"', async (name) => {
    const { files, book } = await open({ config: 'Host a\nHost commanded\n  ProxyCommand nc %h %p\n' })
    await expect(files.apply({ names: ['a', name], hostKeys: true })).rejects.toMatchObject({
      code: 'BOOK_NAME_UNKNOWN',
    })
    expect(book.entries).toEqual([])
  })

  it('never takes over an entry whose name is taken', async () => {
    const { files, book } = await open({ config: 'Host a\nHost b\n' })
    await files.apply({ names: ['a'], hostKeys: false })
    await expect(files.apply({ names: ['b', 'a'], hostKeys: false })).rejects.toMatchObject({ code: 'BOOK_NAME_TAKEN' })
    expect(book.entries.map(({ name }) => name)).toEqual(['a'])
  })

  it('is empty where there are no files', async () => {
    const { files } = testBook()
    expect(await files.preview()).toEqual({
      entries: [],
      configNotes: [],
      newHostKeys: 0,
      knownHostKeys: 0,
      hostKeyNotes: [],
    })
  })
})
