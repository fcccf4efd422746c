import { beforeEach, describe, expect, it } from 'vitest'
import { TmuxReplies } from '../../../../host-src/backends/tmux-replies.ts'

const CURSOR_QUESTION = '\u001b[6n'

let replies: TmuxReplies
beforeEach(() => {
  replies = new TmuxReplies()
})

const sift = (text: string): string => Buffer.from(replies.sift(Buffer.from(text, 'latin1'))).toString('latin1')

describe('what a terminal says to a program in tmux', () => {
  it.each([
    ['DA1', '\u001b[?1;2c'],
    ['DA2', '\u001b[>0;276;0c'],
    ['DSR 5', '\u001b[0n'],
    ['XTVERSION', '\u001bP>|xterm.js(6.0.0)\u001b\\'],
    ['the size', '\u001b[8;24;80t'],
  ])('is dropped where tmux says it, too: %s', (_, answer) => {
    expect(sift(`a${answer}b`)).toBe('ab')
  })

  it.each([
    ['keys', 'ls -l\r'],
    ['an arrow', '\u001b[A'],
    ['a paste', '\u001b[200~text\u001b[201~'],
    ['a mode', '\u001b[?2026;2$y'],
    ['a colour', '\u001b]11;rgb:0000/0000/0000\u001b\\'],
    ['a mouse report', '\u001b[<0;3;4M'],
    ['bytes that are no text', '\u0000\u00ff\u009c'],
    ['F3 with Shift', '\u001b[1;2R'],
  ])('goes through where it does not: %s', (_, said) => {
    expect(sift(said)).toBe(said)
  })

  it('drops one place of the cursor for every time it was asked for, and then F3 is a key again', () => {
    replies.printed(Buffer.from(`x${CURSOR_QUESTION.slice(0, 2)}`))
    replies.printed(Buffer.from(`${CURSOR_QUESTION.slice(2)}y`))
    expect(sift('\u001b[1;2R')).toBe('')
    expect(sift('\u001b[1;2R')).toBe('\u001b[1;2R')
  })

  it('counts a question once, also when it is whole in the bytes that are kept for the next', () => {
    for (let n = 0; n < 3; n += 1) replies.printed(Buffer.from(CURSOR_QUESTION))
    replies.printed(Buffer.from('and more'))
    expect(sift('\u001b[5;5R'.repeat(4))).toBe('\u001b[5;5R')
  })
})
