import { describe, expect, it } from 'vitest'
import { linksIn, linkTarget } from '../../../../client-src/terminal/link-target.ts'

describe('the target of a link', () => {
  it.each([
    ['https://a.test', 'https://a.test/'],
    ['HTTP://A.test/B?c#d', 'http://a.test/B?c#d'],
    ['https://good.test@evil.test', 'https://good.test@evil.test/'],
    ['https://пример.test/', 'https://xn--e1afmkfd.test/'],
    [`https://a.test/${'x'.repeat(2000)}`, `https://a.test/${'x'.repeat(2000)}`],
  ])('%s is %s', (text, href) => {
    expect(linkTarget(text)).toBe(href)
  })

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt://x%0aalert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'mailto:a@b.test',
    '//evil.test',
    'https:evil.test',
    'https://',
    ' https://a.test',
    'https://a.test/ b',
    'https://a.test/\nb',
    'https://a.test/\u0085',
    `https://a.test/${'x'.repeat(2048)}`,
    // As long as may be, and longer once it is written in full.
    `https://a.test/${'é'.repeat(1000)}`,
    '/etc/passwd',
    '',
  ])('%j is none', (text) => {
    expect(linkTarget(text)).toBeNull()
  })
})

describe('links in a text', () => {
  const found = (text: string): string[] => linksIn(text).map((link) => link.text)

  it.each([
    ['see https://a.test/b, and (http://c.test).', ['https://a.test/b', 'http://c.test']],
    ['https://a.test/wiki_(x) [https://b.test/[x]]', ['https://a.test/wiki_(x)', 'https://b.test/[x]']],
    ['<https://a.test> "https://b.test" \'https://c.test\'', ['https://a.test', 'https://b.test', 'https://c.test']],
    ['看https://a.test/，再看https://b.test。', ['https://a.test/', 'https://b.test']],
    ['看 https://a.test/，再看（https://b.test/）。', ['https://a.test/', 'https://b.test/']],
    ['https://a.test/?q=1&r=2#s!', ['https://a.test/?q=1&r=2#s']],
    ['file:///x javascript:https //a.test www.a.test a.test/b.ts:3', []],
    ['https://', []],
    ['https://...', []],
  ])('%s', (text, links) => {
    expect(found(text)).toEqual(links)
  })

  it('are where they are said to be', () => {
    const text = 'x https://a.test, https://b.test'
    for (const { index, text: link } of linksIn(text)) expect(text.slice(index).startsWith(link)).toBe(true)
  })
})
