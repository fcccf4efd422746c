import { describe, expect, it } from 'vitest'
import { PersonTyping, TYPING_PAUSE_MS } from '../../../../host-src/sessions/person-typing.ts'
import { recordingLogger } from '../../../support/recording-logger.ts'

const NOW = 1_000_000
const typed = (...inputs: string[]): PersonTyping => {
  const typing = new PersonTyping(recordingLogger())
  for (const input of inputs) typing.note(Buffer.from(input), NOW)
  return typing
}

describe('what a person types', () => {
  it.each([
    ['an empty line', [], false],
    ['a word', ['ls'], true],
    ['a line that was sent', ['ls\r'], false],
    ['a line that was sent with more behind it', ['ls\rcd'], true],
    ['a line that was taken back', ['ls', '\u007f', '\u007f'], false],
    ['more taken back than there was, then a letter', ['\u007f\u007f', 'x'], true],
    ['a line dropped by Ctrl-C', ['ls', '\u0003'], false],
    ['a line dropped by Ctrl-U', ['ls', '\u0015'], false],
    ['a line fetched by Up', ['\u001b[A'], true],
    ['a line fetched by Up in application mode, and sent', ['\u001bOA', '\r'], false],
    ['a paste', ['\u001b[200~text\u001b[201~'], true],
    ['letters beyond ASCII', ['你好'], true],
  ])('%s', (_, inputs, hasLine) => {
    expect(typed(...inputs).hasUnsentLine).toBe(hasLine)
  })

  it('counts as recent for three seconds', () => {
    const typing = typed('x')
    expect(typing.isRecent(NOW)).toBe(true)
    expect(typing.isRecent(NOW + TYPING_PAUSE_MS - 1)).toBe(true)
    expect(typing.isRecent(NOW + TYPING_PAUSE_MS)).toBe(false)
    expect(typed().isRecent(NOW)).toBe(false)
  })

  it('is not what the emulator answers, nor the pointer, nor the focus', () => {
    for (const report of [
      '\u001b[?1;2c',
      '\u001b[>0;276;0c',
      '\u001b[24;80R',
      '\u001b[0n',
      '\u001b[?2026;2$y',
      '\u001b[8;24;80t',
      '\u001b[?0u',
      '\u001b[I',
      '\u001b[O',
      '\u001b[<35;10;20M',
      '\u001b[<0;10;20m',
      '\u001b[M !!',
      '\u001b]11;rgb:0000/0000/0000\u0007',
      '\u001b]4;1;rgb:0/0/0\u001b\\',
      '\u001bP1$r0m\u001b\\',
      '\u001b[?1;2c\u001b[24;80R',
    ]) {
      const typing = typed(report)
      expect([typing.isRecent(NOW), typing.hasUnsentLine], JSON.stringify(report)).toEqual([false, false])
    }
    expect(typed('\u001b[Ix').isRecent(NOW)).toBe(true)
  })

  it('is announced key by key, and whether a line was sent', () => {
    const typing = new PersonTyping(recordingLogger())
    const heard: boolean[] = []
    typing.onKey((isSent) => heard.push(isSent))
    for (const input of ['l', 's', '\r', '\u001b[I', '\u0003', 'x\n']) typing.note(Buffer.from(input), NOW)
    expect(heard).toEqual([false, false, true, false, true])
  })
})
