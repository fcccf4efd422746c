import { describe, expect, it } from 'vitest'
import {
  attachmentHandleSchema,
  clientIdSchema,
  encodeRandomId,
  hostInstanceIdSchema,
  sessionIdSchema,
  streamOffsetSchema,
  ticketSchema,
} from '../../../protocol-src/ids.ts'
import { randomForTest } from '../../support/random.ts'

const RANDOM_IDS = { sessionIdSchema, clientIdSchema, hostInstanceIdSchema, ticketSchema }

describe('encodeRandomId', () => {
  it('writes 16 bytes as the same 22 characters as base64url', () => {
    const random = randomForTest()
    for (let run = 0; run < 500; run += 1) {
      const bytes = random.bytes(16)
      expect(encodeRandomId(bytes)).toBe(Buffer.from(bytes).toString('base64url'))
    }
    expect(encodeRandomId(new Uint8Array(16))).toBe('A'.repeat(22))
    expect(encodeRandomId(new Uint8Array(16).fill(255))).toBe(Buffer.alloc(16, 255).toString('base64url'))
  })

  it.each([0, 15, 17, 32])('refuses %i bytes, so that no id is shorter than 128 bits', (length) => {
    expect(() => encodeRandomId(new Uint8Array(length))).toThrow(/takes 16 bytes/)
  })
})

describe.each(Object.entries(RANDOM_IDS))('%s', (_name, schema) => {
  it('takes 22 base64url characters', () => {
    expect(schema.parse('abcdefghijklmnopqrst_-')).toBe('abcdefghijklmnopqrst_-')
  })

  it.each([
    '',
    'a'.repeat(21),
    'a'.repeat(23),
    `${'a'.repeat(21)}=`,
    `${'a'.repeat(21)}+`,
    `${'a'.repeat(21)}/`,
    `${'a'.repeat(22)}\n`,
    `../../etc/passwd123456`,
    '__proto__',
  ])('refuses %j', (text) => {
    expect(schema.safeParse(text).success).toBe(false)
  })

  it.each([1, null, undefined, {}, ['a'.repeat(22)], new String('a'.repeat(22))])(
    'refuses what is no string',
    (value) => {
      expect(schema.safeParse(value).success).toBe(false)
    },
  )
})

describe('attachmentHandleSchema', () => {
  it('fits the 32 bits of a binary header and is never zero', () => {
    expect(attachmentHandleSchema.safeParse(1).success).toBe(true)
    expect(attachmentHandleSchema.safeParse(0xffff_ffff).success).toBe(true)
    for (const bad of [0, -1, 0x1_0000_0000, 1.5, NaN, Infinity, '1'])
      expect(attachmentHandleSchema.safeParse(bad).success).toBe(false)
  })
})

describe('streamOffsetSchema', () => {
  it('is a whole number up to 2^53 - 1', () => {
    expect(streamOffsetSchema.safeParse(0).success).toBe(true)
    expect(streamOffsetSchema.safeParse(Number.MAX_SAFE_INTEGER).success).toBe(true)
    for (const bad of [-1, 0.5, 2 ** 53, NaN, '0', null]) expect(streamOffsetSchema.safeParse(bad).success).toBe(false)
  })
})
