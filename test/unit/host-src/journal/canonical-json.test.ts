import { describe, expect, test } from 'vitest'
import { canonicalJson, sha256Hex } from '../../../../host-src/base/canonical-json.ts'
import { randomForTest, type Random } from '../../../support/random.ts'

const anyString = (random: Random): string =>
  String.fromCharCode(...Array.from({ length: random.integer(0, 6) }, () => random.integer(0, 0xffff)))

const anyValue = (random: Random, depth = 0): unknown => {
  const kind = random.integer(0, depth > 3 ? 3 : 5)
  if (kind === 0) return null
  if (kind === 1) return random.boolean()
  if (kind === 2)
    return random.boolean()
      ? random.integer(-1e9, 1e9) + 0
      : (random.next() - 0.5) * 10 ** random.integer(-300, 300) || 0
  if (kind === 3) return anyString(random)
  if (kind === 4) return Array.from({ length: random.integer(0, 4) }, () => anyValue(random, depth + 1))
  return Object.fromEntries(
    Array.from({ length: random.integer(0, 5) }, () => [
      random.boolean(0.1) ? random.pick(['__proto__', 'constructor', '1', '10', '']) : anyString(random),
      anyValue(random, depth + 1),
    ]),
  )
}

const withKeysShuffled = (value: unknown, random: Random): unknown => {
  if (Array.isArray(value)) return value.map((each) => withKeysShuffled(each, random))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    random.shuffle(Object.entries(value)).map(([key, each]) => [key, withKeysShuffled(each, random)]),
  )
}

describe('canonical JSON', () => {
  test('parses back to the same value, whatever the value', () => {
    const random = randomForTest()
    for (let run = 0; run < 2000; run++) {
      const value = anyValue(random)
      expect(JSON.parse(canonicalJson(value))).toEqual(value)
    }
  })

  test('does not depend on the order in which keys were added', () => {
    const random = randomForTest()
    for (let run = 0; run < 2000; run++) {
      const value = anyValue(random)
      expect(canonicalJson(withKeysShuffled(value, random))).toBe(canonicalJson(value))
    }
  })

  test('gives different values different texts', () => {
    const random = randomForTest()
    const seen = new Map<string, unknown>()
    for (let run = 0; run < 2000; run++) {
      const value = anyValue(random)
      const text = canonicalJson(value)
      if (seen.has(text)) expect(seen.get(text)).toEqual(value)
      seen.set(text, value)
    }
  })

  test('sorts by code units and leaves no space', () => {
    expect(canonicalJson({ b: 1, a: [true, null], Z: 'é\n', '10': 0, '9': 0 })).toBe(
      String.raw`{"10":0,"9":0,"Z":"é\n","a":[true,null],"b":1}`,
    )
  })

  const cyclic: Record<string, unknown> = {}
  cyclic['self'] = cyclic
  const holed = [1]
  holed.length = 2
  test.each([
    ['undefined', { a: undefined }, /undefined at \$\.a /],
    ['NaN', { a: [0, NaN] }, /NaN at \$\.a\[1\] /],
    ['an infinity', -Infinity, /-Infinity at \$ /],
    ['minus zero', { a: -0 }, /-0 at \$\.a /],
    ['a date', { at: new Date(0) }, /Date at \$\.at /],
    ['a map', new Map(), /Map/],
    ['a typed array', new Uint8Array(1), /Uint8Array/],
    ['a bigint', 1n, /bigint/],
    ['a function', { f: () => 1 }, /function/],
    ['a symbol', Symbol('x'), /symbol/],
    ['a property named by a symbol', { [Symbol('x')]: 1 }, /symbol/],
    [
      'an accessor',
      {
        get a() {
          return 1
        },
      },
      /accessor/,
    ],
    ['a hidden property', Object.defineProperty({}, 'a', { value: 1 }), /hidden/],
    ['a hole', holed, /holes/],
    ['a named property of an array', Object.assign([1], { name: 1 }), /named/],
    ['a cycle', cyclic, /cycle at \$\.self/],
    ['a boxed string', new String('x'), /String/],
  ])('refuses %s and names the place', (_, value, message) => {
    expect(() => canonicalJson(value)).toThrow(TypeError)
    expect(() => canonicalJson(value)).toThrow(message)
  })

  test('takes the same object twice where it is no cycle, and objects without a prototype', () => {
    const shared = { x: 1 }
    expect(canonicalJson([shared, shared])).toBe('[{"x":1},{"x":1}]')
    expect(canonicalJson(Object.assign(Object.create(null) as object, { a: 1 }))).toBe('{"a":1}')
  })

  test('hashes text as UTF-8', () => {
    expect(sha256Hex('é')).toBe(sha256Hex(new TextEncoder().encode('é')))
    expect(sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  })
})
