// Removes secrets of well-known formats from text before it is stored. Only unmistakable ones are removed: most issuers give
// their keys a prefix that ordinary text does not have, and the other secrets follow a label.

export interface SecretFormat {
  readonly name: string;
  /** Every text with such a secret contains one of these; searching for them is much faster than the pattern. */
  readonly signs: readonly string[];
  /** Its one group is kept. No nested repetition: texts are megabytes long. */
  readonly pattern: RegExp;
  /** The same for a secret of which only the start is left, at the end of the text; not for keys with a prefix. */
  readonly cutPattern?: RegExp;
}

/** After these, a letter starts a word: an escaped newline or tab, an escaped byte in a URL, in mail, or in a string. */
const escapes = String.raw`(?<=\\[nrtbf]|%[0-9A-Fa-f]{2}|=[0-9A-F]{2}|\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4})`;

/** There must be no letter or digit before it, or it is part of something longer. */
const key = (name: string, signs: readonly string[], pattern: RegExp, inner = 'A-Za-z0-9'): SecretFormat => ({
  name,
  signs,
  pattern: new RegExp(`(?:(?<![${inner}])|${escapes})()(?:${pattern.source})`, 'g'),
});

const labelled = (
  name: string,
  signs: readonly string[],
  label: RegExp,
  { secret, start }: { readonly secret: RegExp; readonly start: RegExp },
): SecretFormat => ({
  name,
  signs,
  pattern: new RegExp(`(${label.source})(?:${secret.source})`, `g${label.flags}`),
  cutPattern: new RegExp(`(${label.source})(?:${start.source})$`, label.flags),
});

/** As plain text has it, or JSON within JSON within JSON: each level escapes the backslashes of the one inside. */
const escaped = (mark: string) => String.raw`\\{0,7}${mark}`;
const quote = `(?:${escaped(`["']`)})?`;
const slash = escaped('/');
const is = String.raw`${quote}\s{0,4}[:=]\s{0,4}${quote}`;

/** Headers and base64, with line ends raw or as escaped in strings; five dashes start the END line. */
const keyBody = String.raw`(?:[A-Za-z0-9+/=\s\\:,.()]|-(?!----))`;
const keyLine = String.raw`(?:\s|\\{1,8}[nr])*[A-Za-z0-9+/=]{40,}`;
const keyName = '[A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----';

export const secretFormats: readonly SecretFormat[] = [
  {
    ...key(
      'private-key',
      ['PRIVATE KEY'],
      new RegExp(
        String.raw`-----BEGIN ${keyName}(?:${keyBody}*-----END ${keyName}|(?:${keyLine})+(?:(?:\s|\\{1,8}[nr])+[A-Za-z0-9+/=]{1,39}(?![A-Za-z0-9]))?)`,
      ),
    ),
    cutPattern: new RegExp(`()-----BEGIN ${keyName}${keyBody}*$`),
  },
  key('anthropic-key', ['sk-ant-'], /sk-ant-[A-Za-z0-9_-]{20,}/),
  key('openrouter-key', ['sk-or-v1-'], /sk-or-v1-[0-9a-f]{40,}/),
  key('openai-key', ['sk-'], /sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,}|sk-[A-Za-z0-9]{32,}/),
  key(
    'github-token',
    ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    /gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,}/,
  ),
  key(
    'gitlab-token',
    ['pat-', 'ptt-', 'dt-', 'rt-', 'soat-', 'cbt-'].map((end) => `gl${end}`),
    /gl(?:pat|ptt|dt|rt|soat|cbt)-[A-Za-z0-9_-]{20,}/,
  ),
  key('aws-access-key', ['AKIA', 'ASIA'], /(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Za-z0-9])/),
  labelled(
    'aws-secret-key',
    ['secret', 'Secret', 'SECRET'],
    new RegExp(`aws_?secret_?access_?key${is}`, 'i'),
    { secret: new RegExp(`(?:[A-Za-z0-9+]|${slash}){40}`), start: /[A-Za-z0-9/+\\]+/ },
  ),
  key(
    'google-key',
    ['AIza', 'ya29.', 'GOCSPX-'],
    /AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{30,}|GOCSPX-[A-Za-z0-9_-]{28}/,
  ),
  labelled('azure-key', ['AccessKey=', 'AccountKey='], /(?:AccountKey|SharedAccessKey)=/, {
    secret: new RegExp(`(?:[A-Za-z0-9+]|${slash}){42,}={0,2}`),
    start: /[A-Za-z0-9+/\\]+/,
  }),
  key('slack-token', ['xox', 'xapp-'], /xox[abeoprs]-[A-Za-z0-9-]{20,}|xapp-\d-[A-Za-z0-9-]{20,}/),
  labelled(
    'slack-webhook',
    ['hooks.slack.com'],
    new RegExp(String.raw`hooks\.slack\.com${slash}(?:services|workflows)${slash}`),
    {
      secret: new RegExp(`[A-Za-z0-9]+${slash}[A-Za-z0-9]+${slash}[A-Za-z0-9]+`),
      start: /[A-Za-z0-9/\\]+/,
    },
  ),
  labelled(
    'discord-webhook',
    ['discord'],
    new RegExp(String.raw`discord(?:app)?\.com${slash}api${slash}webhooks${slash}\d{15,20}${slash}`),
    { secret: /[A-Za-z0-9_-]{40,}/, start: /[A-Za-z0-9_-]+/ },
  ),
  key(
    'stripe-key',
    ['_live_', '_test_', 'whsec_'],
    /[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{24,}/,
  ),
  key('npm-token', ['npm_'], /npm_[A-Za-z0-9]{36}/),
  key('pypi-token', ['pypi-'], /pypi-[A-Za-z0-9_-]{50,}/),
  key('hugging-face-token', ['hf_'], /hf_[A-Za-z0-9]{30,}/),
  key('sendgrid-key', ['SG.'], /SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}/),
  key('twilio-key', ['SK'], /SK[0-9a-f]{32}(?![A-Za-z0-9])/),
  key('telegram-token', [':AA'], /\d{8,10}:AA[A-Za-z0-9_-]{33}/),
  key('digitalocean-token', ['_v1_'], /do[opr]_v1_[0-9a-f]{64}/),
  key('shopify-token', ['shp'], /shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}/),
  // A format that allows dashes inside must not follow a dash: each one would start another long, futile match.
  key(
    'json-web-token',
    ['eyJ'],
    /eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/,
    'A-Za-z0-9_-',
  ),
  labelled(
    'authorization',
    ['uthorization', 'UTHORIZATION'],
    new RegExp(`authorization${is}(?:bearer|basic|token) {1,4}`, 'i'),
    { secret: new RegExp(`(?:[A-Za-z0-9._~+-]|${slash}){16,}={0,2}`), start: /[A-Za-z0-9._~+/\\-]+/ },
  ),
  labelled(
    'url-password',
    ['://', ...[1, 3, 7].map((backslashes) => `:${'\\'.repeat(backslashes)}/`)],
    new RegExp(String.raw`[a-z][a-z0-9+.-]{1,20}:${slash}${slash}[^\s/:@'"\x60<>]{0,64}:`, 'i'),
    {
      secret: /[^\s/:@'"`<>$({[]{3,128}(?=@[\w.[-])/,
      // Digits are a port.
      start: /(?!\d{1,5}$)[^\s/:@'"`<>$({[]{1,128}@?/,
    },
  ),
];

/** Raised when the rules find more or other secrets: copies say by which they were cleaned, and are cleaned again. */
export const redactionVersion = 1;

/** The text with a marker in place of each secret; the text itself if there is none. */
export function redact(text: string, formats: readonly SecretFormat[] = secretFormats): string {
  let left = text;
  for (const { name, signs, pattern } of formats) {
    if (signs.some((sign) => left.includes(sign))) left = left.replace(pattern, `$1[redacted ${name}]`);
  }
  return left;
}

/** The formats of which there may be one in this text: few, where it is a line of JSON with many short strings. */
export function findFormats(text: string): readonly SecretFormat[] {
  return secretFormats.filter(({ signs }) => signs.some((sign) => text.includes(sign)));
}

const cutSecret =
  /(?<![A-Za-z0-9])(?:sk-|gh[pousr]_|github_pat_|gl[a-z]{2,4}-|AKIA|ASIA|AIza|ya29\.|GOCSPX-|xox[abeoprs]-|xapp-|[sr]k_(?:live|test)_|whsec_|npm_|pypi-|hf_|SG\.|shp[a-z]{2}_|do[opr]_v1_|eyJ)[A-Za-z0-9_.-]*$/;

/** No text is cut to fewer characters than about this; a shorter one ends as it was written, with a port or a label, say. */
const minCutChars = 390;

/** The same for a text that may have been cut: the start of a secret at its end is removed too. */
export function redactCut(text: string): string {
  let left = redact(text);
  if (text.length >= minCutChars)
    for (const { cutPattern } of findFormats(left))
      if (cutPattern !== undefined) left = left.replace(cutPattern, '$1[redacted]');
  return left.replace(cutSecret, '[redacted]');
}
