import { describe, expect, it } from 'vitest'
import { DisposableStore, Emitter } from '../../../../host-src/base/lifecycle.ts'
import { recordingLogger } from '../../../support/recording-logger.ts'

describe('DisposableStore', () => {
  it('disposes last in first out, once', () => {
    const store = new DisposableStore()
    const order: string[] = []
    store.defer(() => order.push('first'))
    store.add({ dispose: () => void order.push('second') })
    store.dispose()
    store.dispose()
    expect(order).toEqual(['second', 'first'])
    expect(store.isDisposed).toBe(true)
  })

  it('disposes at once what comes too late', () => {
    const store = new DisposableStore()
    store.dispose()
    let disposed = 0
    store.defer(() => (disposed += 1))
    expect(disposed).toBe(1)
    store.dispose()
    expect(disposed).toBe(1)
  })

  it('disposes the rest when one fails, and tells the failure', () => {
    const store = new DisposableStore()
    let disposed = 0
    store.defer(() => (disposed += 1))
    store.defer(() => {
      throw new Error('stuck')
    })
    store.defer(() => (disposed += 1))
    expect(() => store.dispose()).toThrow(AggregateError)
    expect(disposed).toBe(2)
  })

  it('holds one thing once', () => {
    const store = new DisposableStore()
    let disposed = 0
    const thing = { dispose: () => void (disposed += 1) }
    store.add(thing)
    store.add(thing)
    store.dispose()
    expect(disposed).toBe(1)
  })
})

describe('Emitter', () => {
  it('tells every listener, also when one throws', () => {
    const logger = recordingLogger()
    const emitter = new Emitter<number>(logger)
    const heard: number[] = []
    emitter.event(() => {
      throw new Error('deaf')
    })
    emitter.event((value) => heard.push(value))
    emitter.fire(7)
    expect(heard).toEqual([7])
    expect(logger.of('listener.failed')).toHaveLength(1)
  })

  it('does not call a listener that was added during the call, nor one after it left', () => {
    const emitter = new Emitter<number>(recordingLogger())
    const heard: string[] = []
    const leave = emitter.event((value) => {
      heard.push(`a${value}`)
      if (value === 1) emitter.event((later) => heard.push(`b${later}`))
    })
    emitter.fire(1)
    leave()
    leave()
    emitter.fire(2)
    expect(heard).toEqual(['a1', 'b2'])
    expect(emitter.listenerCount).toBe(1)
  })

  it('tells nobody after disposal', () => {
    const emitter = new Emitter<number>(recordingLogger())
    let heard = 0
    emitter.event(() => (heard += 1))
    emitter.dispose()
    emitter.fire(1)
    expect(heard).toBe(0)
    expect(emitter.listenerCount).toBe(0)
  })
})
