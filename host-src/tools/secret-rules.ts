/** What tokens of known issuers look like: the one table. It says nothing of where they stand in a text. */

export interface TokenRule {
  /** For the text that takes the place of the token. */
  readonly name: string
  readonly prefixes: readonly string[]
  /** Characters that may follow the prefix, as the inside of a character class. */
  readonly characters: string
  /** How many of them a whole token has at least. */
  readonly min: number
  /** What else a whole token has, where the prefix alone says little. */
  readonly proof?: (body: string) => boolean
}

const ALNUM = 'A-Za-z0-9'
const WORD = 'A-Za-z0-9_'
const URL_SAFE = 'A-Za-z0-9_-'
const DOTTED = 'A-Za-z0-9_.-'

const hasDigit = (body: string): boolean => /\d/.test(body)
/** A stretch that is no word and no chain of words. */
const hasRandomStretch = (body: string): boolean => hasDigit(body) && /[A-Za-z0-9]{12}/.test(body)

const rule = (
  name: string,
  prefixes: string,
  body: { characters: string; min: number; proof?: TokenRule['proof'] },
): TokenRule => ({
  name,
  prefixes: prefixes.split(' '),
  characters: body.characters,
  min: body.min,
  ...(body.proof === undefined ? {} : { proof: body.proof }),
})

export const TOKEN_RULES: readonly TokenRule[] = [
  rule('GitHub token', 'github_pat_', { characters: WORD, min: 36 }),
  rule('GitHub token', 'ghp_ gho_ ghu_ ghs_ ghr_', { characters: WORD, min: 36 }),
  rule('GitLab token', 'glpat- gldt- glrt- glrtr- glptt- glft- glcbt- glimt- glsoat- gloas- glagent- glffct-', {
    characters: DOTTED,
    min: 18,
  }),
  rule('Slack token', 'xoxb- xoxp- xoxa- xoxr- xoxs- xoxc- xoxd- xoxe- xoxe. xapp-', {
    characters: `%${DOTTED}`,
    min: 10,
    proof: hasDigit,
  }),
  rule('Slack webhook', 'hooks.slack.com/services/ hooks.slack.com/workflows/', { characters: `${ALNUM}/`, min: 20 }),
  rule('npm token', 'npm_', { characters: ALNUM, min: 36 }),
  rule('Anthropic key', 'sk-ant-', { characters: URL_SAFE, min: 20 }),
  rule('API key', 'sk-', { characters: URL_SAFE, min: 20, proof: hasRandomStretch }),
  rule('Google key', 'AIza', { characters: URL_SAFE, min: 35 }),
  rule('Google token', 'ya29.', { characters: DOTTED, min: 20 }),
  rule('Google secret', 'GOCSPX-', { characters: URL_SAFE, min: 20 }),
  rule('Stripe key', 'sk_live_ sk_test_ rk_live_ rk_test_ whsec_', { characters: `${ALNUM}+/=`, min: 16 }),
  rule('AWS key', 'AKIA ASIA ABIA ACCA', { characters: 'A-Z0-9', min: 16, proof: hasDigit }),
  rule('Hugging Face token', 'hf_', { characters: ALNUM, min: 30 }),
  rule('DigitalOcean token', 'dop_v1_ doo_v1_ dor_v1_', { characters: 'a-f0-9', min: 60 }),
  rule('SendGrid key', 'SG.', { characters: DOTTED, min: 50, proof: hasRandomStretch }),
  rule('PyPI token', 'pypi-AgE', { characters: URL_SAFE, min: 40 }),
  rule('Docker token', 'dckr_pat_ dckr_oat_', { characters: URL_SAFE, min: 20 }),
  rule('Shopify token', 'shpat_ shpca_ shppa_ shpss_', { characters: 'A-Fa-f0-9', min: 32 }),
  rule('Vault token', 'hvs. hvb. hvr.', { characters: URL_SAFE, min: 20 }),
  rule('Databricks token', 'dapi', { characters: 'a-f0-9', min: 32, proof: hasDigit }),
  rule('Grafana token', 'glsa_ glc_', { characters: `${WORD}+/=`, min: 30 }),
  rule('age key', 'AGE-SECRET-KEY-1', { characters: 'A-Z0-9', min: 50 }),
  rule(
    'API key',
    'gsk_ xai- pplx- r8_ fw_ nvapi- lin_api_ ntn_ PMAK- tskey- NRAK- sbp_ sntrys_ sntryu_ pscale_tkn_ pscale_pw_',
    {
      characters: URL_SAFE,
      min: 24,
      proof: hasRandomStretch,
    },
  ),
  rule('JSON web token', 'eyJ', { characters: DOTTED, min: 24, proof: (body) => /^[\w-]{6,}\.[\w-]{6,}/.test(body) }),
]
