// Decides whether a value is a secret, or something else in a place where secrets occur: a placeholder, a reference to a variable,
// a name, a translation. Used where the place alone does not prove it: after a label such as `password:`, or a prefix that names have too.

/** Runs of one kind of character, where a capital belongs to the word after it. Names consist of few, long ones. */
const chunk = /[A-Z]?[a-z]+|[A-Z]+|\d+/g;
const digitGroup = /\d+/g;

/** The average length of its chunks. */
function readChunkLength(text: string): number {
  const chunks = text.match(chunk) ?? [];
  return chunks.reduce((sum, each) => sum + each.length, 0) / Math.max(1, chunks.length);
}

/** More than this need not be looked at. */
const maxChars = 256;

/** Words, each of which may have a number before or after it: `sk-button-2-wide`, `ServiceConfiguration`, `i18n_keys`. */
export function isName(value: string): boolean {
  return value
    .slice(0, maxChars)
    .split(/[-_./:~+=\s]/)
    .every(
      (part) =>
        part.length <= 4 ||
        /^\d+$/.test(part) ||
        (/^\d{0,4}[A-Za-z]+\d{0,4}$/.test(part) && readChunkLength(part) >= 3),
    );
}

/** Of a value of 16 characters or more: letters and digits as chance mixes them. */
export function isRandom(value: string): boolean {
  const start = value.slice(0, maxChars);
  const groups = start.match(digitGroup)?.length ?? 0;
  return !isName(start) && (groups >= 2 || readChunkLength(start) <= 2.5);
}

/** What people write in the place of a secret. */
const placeholder =
  /^(?:x{3,}|\.{2,}|\*{2,}|-+|_+|[<[{(%$#*…])|x{4,}|\*{3,}|\.{3}|…|your|example|placeholder|change_?-?me|change-?this|dummy|fake|redacted|masked|hidden|replace|insert|to-?do\b|<|>|not[-_]?(?:set|real|a)|^(?:n\/a|tbd|abc123|foo.?bar|(?:foo|bar|baz|test|pass|secret|password|passwd|token|key|value|user|admin|root|none|null|true|false|string)\d?)$|1234567890?abcdef|(?:abcdef|012345)[\w-]*(?:ghij|6789)|_here$|^0x[0-9a-f]+$/i;

export function isPlaceholder(value: string): boolean {
  return placeholder.test(value) || /^(.)\1*$/.test(value);
}

/** A call, a property, an index, a path, a URL, a file, a resource elsewhere. Not for what is in quotes, which is written out. */
const codeReference =
  /[([{]|^[A-Za-z_]\w*(?:(?:\.|::|->|\?\.)[A-Za-z_]\w*)+$|^[!&*@]?[A-Za-z_]\w*(?:::|->|\?\.)/;
const reference =
  /^(?:~?\.{0,2}\/|[A-Za-z]:[\\/]|\$|%\w+%$|!|&|arn:|env[.:]|file:|vault:|op:|ssm:|secret[s]?[./:]|process\.|os\.|config\.|settings\.|self\.|this\.)|:\/\/|\$\{|\{\{|#\{|\$\(|\.(?:[a-z]{1,5}|ts|js|py|rb|go|rs|md|json5?|ya?ml|pem|crt|txt)$/;

/** How a value is written: in quotes, as a setting (of a file, a shell, a URL), as one that ends its line, or bare, in code or prose. */
export type Writing = 'quoted' | 'setting' | 'line' | 'bare';

export function isReference(value: string, writing: Writing): boolean {
  return reference.test(value) || (writing !== 'quoted' && codeReference.test(value));
}

/** What programs, forms and types are called, so no password. */
const technicalWord =
  /^(?:pass|password|passwd|pwd|passphrase|secret|token|key|auth|user|users?name|email|login|input|field|form|type|text|hash|hashed|reset|forgot|confirm|new|old|current|required|invalid|string|number|boolean|object|any|unknown|void|null|none|undefined|true|false|optional|default|value|values|values?|name|id|label|hint|min|max|length|config|settings?|env|test|tests|sha|md|base|utf|bcrypt|argon|pbkdf|scrypt|oauth|jwt|hmac|rsa|aes|api|bearer|basic|postgres|mysql|redis|admin|root|guest|localhost|file|path|url|get|set|is|has|the|my|your|db|database|app|to|for|of|and|or|self|this|ctx|req|res|request|response|args?|opts?|options|params?|props|data|payload|body|header|headers|session|cookie|client|server|service|manager|provider|handler|generator|validator|encoder|strength|policy|column|varchar|char|not|prompt|ask|read|keyring|keychain|vault|manual|auto|enabled|disabled|example|sample|demo|dev|prod|local|staging)$/i;

function hasTechnicalWord(value: string): boolean {
  return (value.match(chunk) ?? []).some((word) => technicalWord.test(word));
}

/** A value of the length of a key that chance made. */
export function isToken(value: string, writing: Writing): boolean {
  if (value.length < 16 || /\s/.test(value) || isPlaceholder(value)) return false;
  if (/^[A-Za-z0-9+/]{40,}={0,2}$/.test(value)) return isRandom(value);
  return isRandom(value) && !(reference.test(value) || (writing === 'bare' && /[([{]/.test(value)));
}

/** What people choose: shorter, with words in it, but not only words, unless it is written where only a literal can be. */
export function isPassword(value: string, writing: Writing): boolean {
  // As Google prints the passwords of applications.
  if (/^[a-z]{4}(?: [a-z]{4}){3}$/.test(value)) return true;
  if (value.length < 5 || /[\s\u0080-\uffff]/.test(value) || isPlaceholder(value)) return false;
  if (isReference(value, writing)) return false;
  if (isToken(value, writing)) return true;
  const hasLetter = /[A-Za-z]/.test(value);
  const hasDigit = /\d/.test(value);
  const hasSign = /[^\w.\-?:/,;]/.test(value.replace(/[!?.:]+$/, '')) || /\w!+$/.test(value);
  if (!hasLetter) return writing !== 'bare' && /\d{6}/.test(value) && !/^[\d.:-]*[.:-][\d.:-]*$/.test(value);
  if (hasDigit && (hasSign || writing !== 'bare'))
    return !/^(?:sha|md|utf|base|aes|rsa)-?_?\d+$/i.test(value);
  if (hasSign && writing !== 'bare') return !/^\W/.test(value) && !/^\w+[=|&]+\w+$/.test(value);
  if (hasTechnicalWord(value)) return false;
  if (hasDigit) return /^\w+$/.test(value);
  if (writing === 'quoted') return value.split('-').length >= 4;
  return (writing === 'setting' || writing === 'line') && value.length >= 6;
}

/** Whether what is left of a value that was cut may be the start of a secret. */
export function isStartOfSecret(value: string): boolean {
  return !isPlaceholder(value) && !isReference(value, 'bare') && !hasTechnicalWord(value);
}
