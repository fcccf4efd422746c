import { describe, expect, it, vi } from 'vitest'
import { Connbar } from '../../../../client-src/services/connbar.ts'
import type { ConnbarContext } from '../../../../client-src/services/plugin-contract.ts'

const BAR = { tab: { key: 'tab-1', sid: 's' }, spec: { host: 'build' }, bookName: 'build' }

describe('the connection bar', () => {
  it('is version 1 and asks every factory with every drawing, in order', () => {
    const bar = new Connbar(vi.fn())
    const seen: unknown[] = []
    const onClick = vi.fn()
    bar.addAction(({ addAction, ...rest }) => {
      seen.push(rest)
      addAction('A', 'Files', 'Show files', onClick)
    })
    bar.addAction(({ addAction }) => {
      addAction('B', 'Ports', 'Show ports', () => {})
      addAction('C', 'Stats', 'Show stats', () => {})
    })
    expect(bar.version).toBe(1)
    expect(bar.actionsFor(BAR).map(({ label }) => label)).toEqual(['Files', 'Ports', 'Stats'])
    bar.actionsFor(BAR)[0]?.onClick()
    expect(onClick).toHaveBeenCalledOnce()
    expect(seen).toEqual([BAR, BAR])
  })

  it('reports a factory that throws, leaves out what it added, and shows the others', () => {
    const report = vi.fn()
    const bar = new Connbar(report)
    const error = new Error('boom')
    bar.addAction(({ addAction }) => {
      addAction('x', 'half', 'half', () => {})
      throw error
    })
    bar.addAction(({ addAction }) => {
      addAction('y', 'whole', 'whole', () => {
        throw error
      })
    })
    const actions = bar.actionsFor(BAR)
    expect(actions.map(({ label }) => label)).toEqual(['whole'])
    actions[0]?.onClick()
    expect(report.mock.calls.map(([, thrown]) => thrown)).toEqual([error, error])
  })

  it('is drawn again when somebody adds, leaves or asks, and takes one of two equal factories', () => {
    const bar = new Connbar(vi.fn())
    const revisions: number[] = []
    bar.revision.subscribe(() => revisions.push(bar.revision.getSnapshot()))
    const add = ({ addAction }: ConnbarContext): void => {
      addAction('', 'same', '', () => {})
    }
    const one = bar.addAction(add)
    bar.addAction(add)
    bar.requestRender()
    one()
    one()
    expect(revisions).toEqual([1, 2, 3, 4])
    expect(bar.actionsFor(BAR)).toHaveLength(1)
  })

  it('refuses what is no function', () => {
    expect(() => new Connbar(vi.fn()).addAction('x' as never)).toThrow(/^ttyConnbar\.addAction did nothing: .+function/)
  })
})
