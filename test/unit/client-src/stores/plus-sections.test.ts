import { expect, it, vi } from 'vitest'
import { PlusSections, type PlusSection } from '../../../../client-src/stores/plus-sections.ts'
import { createStore } from '../../../../client-src/stores/store.ts'

const item = (key: string) => ({ key, label: key, onSelect: () => {} })
const section = (id: string, ...keys: readonly string[]): PlusSection => ({ id, items: keys.map(item) })
const ids = (plus: PlusSections): string[] => plus.getSnapshot().map(({ id }) => id)

it('has the sections that have something, in the order in which they came, as they are now', () => {
  const plus = new PlusSections()
  const heard = vi.fn()
  plus.subscribe(heard)
  const left = createStore(section('left'))
  const book = createStore(section('book', 'a'))
  plus.add(left)
  const removeBook = plus.add(book)
  expect(ids(plus)).toEqual(['book'])
  left.set(section('left', 'x'))
  expect(ids(plus)).toEqual(['left', 'book'])
  book.set(section('book', 'a', 'b'))
  expect(plus.getSnapshot()[1]?.items).toHaveLength(2)
  removeBook()
  removeBook()
  book.set(section('book', 'c'))
  expect(ids(plus)).toEqual(['left'])
  heard.mockClear()
  book.set(section('book'))
  expect(heard).not.toHaveBeenCalled()
})

it('has a section once for each time that it was added', () => {
  const plus = new PlusSections()
  const book = createStore(section('book', 'a'))
  const removals = [plus.add(book), plus.add(book)]
  removals[0]?.()
  expect(ids(plus)).toEqual(['book'])
  removals[1]?.()
  expect(ids(plus)).toEqual([])
})
