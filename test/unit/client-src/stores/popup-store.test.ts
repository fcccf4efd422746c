import { describe, expect, it } from 'vitest'
import { PopupStore } from '../../../../client-src/stores/popup-store.ts'

describe('a question about a paste', () => {
  it('stands until it is answered, and then not again', async () => {
    const popups = new PopupStore()
    const choice = popups.confirmPaste('a\nb')
    expect(popups.getSnapshot().paste).toBe('a\nb')
    popups.answerPaste('one-line')
    expect(popups.getSnapshot().paste).toBeNull()
    popups.answerPaste('lines')
    expect(await choice).toBe('one-line')
  })

  it('is refused when another paste comes before the answer', async () => {
    const popups = new PopupStore()
    const first = popups.confirmPaste('first\n')
    const second = popups.confirmPaste('second\n')
    expect(popups.getSnapshot().paste).toBe('second\n')
    popups.answerPaste('lines')
    expect(await Promise.all([first, second])).toEqual(['nothing', 'lines'])
  })
})
