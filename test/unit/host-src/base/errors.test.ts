import { describe, expect, it } from 'vitest'
import { TtyError, assertNever, messageOf, systemCodeOf, toTtyError } from '../../../../host-src/base/errors.ts'
import { wireErrorSchema } from '../../../../protocol-src/errors.ts'

describe('TtyError', () => {
  it('travels with its code, message and details, and without its cause', () => {
    const error = new TtyError('SESSION_LIMIT', 'too many', { cause: new Error('inner'), details: { limit: 4 } })
    const wire = error.toWire()
    expect(wire).toEqual({ code: 'SESSION_LIMIT', message: 'too many', details: { limit: 4 } })
    expect(wireErrorSchema.parse(JSON.parse(JSON.stringify(wire)))).toEqual(wire)
    expect(new TtyError('INTERNAL', 'x').toWire()).toEqual({ code: 'INTERNAL', message: 'x' })
  })
})

describe('toTtyError', () => {
  it('leaves a TtyError alone and wraps anything else as INTERNAL', () => {
    const own = new TtyError('CANCELLED', 'x')
    expect(toTtyError(own)).toBe(own)
    for (const thrown of [new Error('boom'), 'boom', { kind: 'user' }, null, undefined]) {
      const error = toTtyError(thrown)
      expect(error.code).toBe('INTERNAL')
      expect(error.cause).toBe(thrown)
    }
  })
})

describe('helpers', () => {
  it('read messages and system codes of anything thrown', () => {
    expect(messageOf(new Error('a'))).toBe('a')
    expect(messageOf(3)).toBe('3')
    expect(systemCodeOf(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBe('ENOENT')
    expect(systemCodeOf(Object.assign(new Error('x'), { code: 5 }))).toBeUndefined()
    expect(systemCodeOf({ code: 'ENOENT' })).toBeUndefined()
    expect(() => assertNever('odd' as never)).toThrow(/unexpected value "odd"/)
  })
})
