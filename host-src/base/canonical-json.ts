/**
 * One text per value: object keys in order, nothing that JSON would lose. Two readers of the same facts get the same bytes
 * and so the same hash. Knows nothing of what is encoded.
 */
import { hash } from 'node:crypto'

/**
 * Encode a value of null, booleans, strings, finite numbers, dense arrays and plain objects; keys are sorted by UTF-16
 * code units. What comes out parses back to an equal value.
 * @throws TypeError that names the place (`$.size.cols`) of anything that JSON would drop, round or replace: undefined,
 * functions, symbols, bigints, NaN, infinities, -0, dates and other class instances, holes, accessors, cycles
 */
export function canonicalJson(value: unknown): string {
  return encode(value, '$', new Set())
}

/** SHA-256 of text (as UTF-8) or bytes: 64 lower-case hexadecimal digits. */
export function sha256Hex(input: string | Uint8Array): string {
  return hash('sha256', input, 'hex')
}

function encode(value: unknown, path: string, within: Set<object>): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'number':
      if (!Number.isFinite(value)) refuse(path, String(value))
      if (Object.is(value, -0)) refuse(path, '-0')
      return JSON.stringify(value)
    case 'object':
      return value === null ? 'null' : encodeContainer(value, path, within)
    case 'undefined':
    case 'function':
    case 'symbol':
    case 'bigint':
      return refuse(path, `a value of type ${typeof value}`)
    default:
      return refuse(path, 'an unknown kind of value')
  }
}

function encodeContainer(value: object, path: string, within: Set<object>): string {
  if (within.has(value)) refuse(path, 'a cycle')
  within.add(value)
  const text = Array.isArray(value) ? encodeArray(value, path, within) : encodeObject(value, path, within)
  within.delete(value)
  return text
}

function encodeArray(items: readonly unknown[], path: string, within: Set<object>): string {
  if (Reflect.ownKeys(items).length !== items.length + 1) refuse(path, 'an array with holes or named properties')
  return `[${items.map((item, at) => encode(item, `${path}[${String(at)}]`, within)).join(',')}]`
}

function encodeObject(value: object, path: string, within: Set<object>): string {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) refuse(path, `an instance of ${nameOf(value)}`)
  const parts: string[] = []
  const keys = Reflect.ownKeys(value)
  for (const key of keys.filter((each) => typeof each === 'string').sort()) {
    const property = Object.getOwnPropertyDescriptor(value, key)
    if (property === undefined || !property.enumerable || !('value' in property))
      refuse(`${path}.${key}`, 'an accessor or hidden property')
    parts.push(`${JSON.stringify(key)}:${encode(property.value, `${path}.${key}`, within)}`)
  }
  if (parts.length !== keys.length) refuse(path, 'a property named by a symbol')
  return `{${parts.join(',')}}`
}

function nameOf(value: object): string {
  const maker: unknown = value.constructor
  return typeof maker === 'function' && maker.name !== '' ? maker.name : 'a class'
}

function refuse(path: string, what: string): never {
  throw new TypeError(`cannot encode ${what} at ${path} without loss`)
}
