// The kinds of secrets, and how each is recognised: by the prefix that its issuer gives it, by a label before it, or by what
// else is around it. Each comes with an example and with a text that looks like it and stays; tests and the documentation are
// made from them. In an example `<36>` is for 36 letters and digits, `<h32>` for 32 hexadecimal ones, `<d9>` for 9 digits.

import { isName, isPassword, isPlaceholder, isRandom, isToken, type Writing } from './secret-value.ts';

interface Described {
  readonly name: string;
  readonly example: string;
  readonly lookalike: string;
}

/** Recognised where it starts. */
export interface PrefixKind extends Described {
  readonly by: 'prefix';
  readonly prefixes: readonly string[];
  /** From the prefix on; its one group is what may turn out to be a name. */
  readonly pattern: RegExp;
  readonly isSecret: (body: string) => boolean;
}

/** Recognised by the name of what it is assigned to. */
export interface LabelKind extends Described {
  readonly by: 'label';
  /** How the name ends. */
  readonly label: RegExp;
  readonly isSecret: (value: string, writing: Writing) => boolean;
}

/** Recognised by a pattern of its own, which is tried on texts with one of the signs. */
export interface SignKind extends Described {
  readonly by: 'sign';
  readonly signs: readonly string[];
  /** The text must have one of these as well. */
  readonly within?: readonly string[];
  /** Keeps its first group; the second one is the secret. No nested repetition: texts are megabytes long. */
  readonly pattern: RegExp;
  readonly isSecret?: (value: string) => boolean;
  /** The same for a secret of which only the start is left, at the end of the text. */
  readonly cutPattern?: RegExp;
  /** For a list, of which only the secret values are removed. */
  readonly toMarked?: (secret: string, toMarker: (value: string) => string) => string;
}

type SecretKind = PrefixKind | LabelKind | SignKind;

/** After these, a letter starts a word: an escaped newline or tab, an escaped byte in a URL, in mail, or in a string. */
const escapes = String.raw`(?<=\\[nrtbf]|%[0-9A-Fa-f]{2}|=[0-9A-F]{2}|\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4})`;

interface KeyText {
  readonly example: string;
  readonly lookalike: string;
  /** The characters that must not come before it: after one of them it is part of something longer. */
  readonly before?: string;
  readonly isSecret?: (body: string) => boolean;
}

const key = (
  name: string,
  prefixes: string,
  body: string,
  { example, lookalike, before = 'A-Za-z0-9', isSecret = (value) => !isName(value) }: KeyText,
): PrefixKind => ({
  by: 'prefix',
  name,
  prefixes: prefixes.split(' '),
  pattern: new RegExp(
    `(?:(?<![${before}])|${escapes})(?:${escapeAll(prefixes).replaceAll(' ', '|')})(?:${body})`,
    'y',
  ),
  isSecret,
  example,
  lookalike,
});

/** A literal text for a pattern. */
export function escapeAll(text: string): string {
  return text.replace(/[.$+/]/g, '\\$&');
}

/** Only hexadecimal digits, which no name consists of. */
const hex = (min: number, max: number | '' = '') => `[0-9a-fA-F]{${min},${max}}`;
const plain = (min: number, max: number | '' = '') => `([A-Za-z0-9]{${min},${max}})(?![A-Za-z0-9])`;
const dashed = (min: number) => `([A-Za-z0-9_-]{${min},})`;
const base64 = (min: number) => `([A-Za-z0-9+/=_-]{${min},})`;
const uuid = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

/** Where a word starts: in JSON that was not read, `\\n` may be before it. */
const start = String.raw`(?:\b|(?<=\\[nrtbf]))`;

/** As plain text has it, or JSON within JSON within JSON: each level escapes the backslashes of the one inside. */
const escaped = (mark: string) => String.raw`\\{0,7}${mark}`;
const slash = escaped('/');
const quote = `(?:${escaped(`["']`)})?`;

/** After the prefix, and with it not part of the secret. */
const kept = (path: string, prefix: string) => `${path}(?<=(?<kept>${prefix}${path}))`;

/** Before a short prefix: it must not be in the middle of a name, a hash or base64. */
const whole = 'A-Za-z0-9_+/-';

const keys: readonly PrefixKind[] = [
  key('anthropic-key', 'sk-ant-', dashed(20), {
    example: 'sk-ant-api03-<80>',
    lookalike: 'sk-ant-colony-optimization-demo',
  }),
  key('openrouter-key', 'sk-or-v1-', hex(40), { example: 'sk-or-v1-<h64>', lookalike: 'sk-or-v1-models' }),
  key('openai-key', 'sk-proj- sk-svcacct- sk-admin- sk-None- sk-service-', dashed(20), {
    example: 'sk-proj-<64>',
    lookalike: 'sk-admin-navigation-sidebar-button',
  }),
  key('openai-key', 'sk-', '([A-Za-z0-9]{32,})', { example: 'sk-<48>', lookalike: 'sk-button.tsx' }),
  key('ai-service-key', 'sk-lf- ctx7sk-', uuid, {
    example: 'sk-lf-<h8>-<h4>-<h4>-<h4>-<h12>',
    lookalike: 'sk-lf-traces',
  }),
  key('ai-service-key', 'sk-', dashed(24), {
    example: 'sk-helicone-<32>',
    lookalike: 'sk-spinner-large-blue-indicator',
  }),
  key(
    'ai-service-key',
    'gsk_ xai- pplx- csk- pcsk_ llx- tgp_v1_ nvapi- tvly- esecret_ lsv2_pt_ lsv2_sk_ jina_',
    dashed(24),
    { example: 'gsk_<52>', lookalike: 'xai-explainability-dashboard-panel' },
  ),
  key('ai-service-key', 'fc- e2b_ sk_ app- r8_ fw_ pa-', plain(24), {
    example: 'r8_<37>',
    lookalike: 'fw_configuration_manager',
    before: whole,
  }),
  key('hugging-face-token', 'hf_ api_org_', plain(30), {
    example: 'hf_<34>',
    lookalike: 'hf_utils.py',
    // They have no digits.
    isSecret: (body) => body.length === 34 || !isName(body),
  }),
  key('github-token', 'ghp_ gho_ ghu_ ghs_ ghr_', '([A-Za-z0-9]{36,})', {
    example: 'ghp_<36>',
    lookalike: 'ghs_helpers.rb',
  }),
  key('github-token', 'github_pat_', '([A-Za-z0-9_]{40,})', {
    example: 'github_pat_<22>_<59>',
    lookalike: 'github_pat_rotation_policy_for_all_organisations',
  }),
  key(
    'gitlab-token',
    'glpat- glptt- gldt- glrt- glrtr- glsoat- glcbt- glft- glimt- glagent- glffct- glwt- gloas- GR1348941',
    '([A-Za-z0-9_.-]{20,})',
    { example: 'glpat-<20>', lookalike: 'glrt-runner-configuration-for-tests' },
  ),
  key('atlassian-token', 'ATATT3 ATCTT3 ATSTT3 ATBB', '([A-Za-z0-9_=-]{24,})', {
    example: 'ATATT3xFfGF0<180>',
    lookalike: 'ATBB_WORKSPACE_CONFIGURATION_ID',
  }),
  key('aws-access-key', 'AKIA ASIA ABIA ACCA', '[A-Z2-7]{16}(?![A-Za-z0-9])', {
    example: 'AKIAIOSFODNN7EXAMPLE',
    lookalike: 'ASIAPACIFICREGIONS',
  }),
  key('aws-access-key', 'ABSK', base64(60), {
    example: 'ABSK<130>',
    lookalike: 'ABSKILLS_TABLE',
    before: whole,
  }),
  key('google-key', 'AIza', '([A-Za-z0-9_-]{35})', { example: 'AIza<35>', lookalike: 'AIzawa' }),
  key('google-key', 'ya29. GOCSPX-', dashed(24), {
    example: 'ya29.<60>',
    lookalike: 'GOCSPX-client-secret-goes-in-here',
  }),
  key('google-key', '1//0', dashed(24), { example: '1//0<60>', lookalike: '1//0', before: whole }),
  key(
    'slack-token',
    'xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxc- xoxd- xoxe.xoxp- xapp- xwfp-',
    '([A-Za-z0-9%-]{20,})',
    { example: 'xoxb-<d12>-<d12>-<24>', lookalike: 'xoxo-love-and-kisses-from-all-of-us' },
  ),
  key('stripe-key', 'sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_', plain(16), {
    example: 'sk_live_<24>',
    lookalike: 'sk_test_configuration',
  }),
  key('stripe-key', 'whsec_', base64(24), {
    example: 'whsec_<32>',
    lookalike: 'whsec_signing_configuration_value',
  }),
  key('npm-token', 'npm_', plain(36, 36), { example: 'npm_<36>', lookalike: 'npm_install_hook.sh' }),
  key('pypi-token', 'pypi-', dashed(50), {
    example: 'pypi-AgEIcHlwaS5vcmc<120>',
    lookalike: 'pypi-package-publishing-workflow-for-all-of-our-projects',
  }),
  key('package-token', 'rubygems_ cio oy2 dckr_pat_ dckr_oat_ AKCp cmVmdGtuO', dashed(24), {
    example: 'rubygems_<h48>',
    lookalike: 'rubygems_mirror_settings.rb',
    before: whole,
  }),
  key('sendgrid-key', 'SG.', '([A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{16,64})', {
    example: 'SG.<22>.<43>',
    lookalike: 'SG.ProductManagement.ServiceConfiguration',
  }),
  key('twilio-key', 'SK', '[0-9a-f]{32}(?![A-Za-z0-9])', { example: 'SK<h32>', lookalike: 'SKU12345' }),
  key('telegram-token', ':AA', '([A-Za-z0-9_-]{33})(?<=(?<!\\d)(?<before>\\d{8,10}):AA.{33})', {
    example: '<d9>:AA<33>',
    lookalike: '12:AA',
    before: '.',
  }),
  key(
    'terraform-token',
    '.atlasv1.',
    '([A-Za-z0-9_-]{40,})(?<=(?<before>[A-Za-z0-9]{14})\\.atlasv1\\.[A-Za-z0-9_-]{40,})',
    { example: '<14>.atlasv1.<67>', lookalike: 'x.atlasv1.y', before: '.' },
  ),
  key(
    'service-token',
    '-us',
    `\\d{1,2}(?![A-Za-z0-9-])(?<=(?:(?<![A-Za-z0-9])|${escapes})(?<before>[0-9a-f]{32})-us\\d{1,2})`,
    { example: '<h32>-us12', lookalike: 'shop-us12', before: '.' },
  ),
  key(
    'discord-token',
    'MT Mj Mz ND NT Nj Nz OD OT',
    '[A-Za-z0-9_-]{22,26}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,38}',
    { example: 'MT<24>.<6>.<30>', lookalike: 'NT.Security.Descriptor', before: 'A-Za-z0-9_.-' },
  ),
  key('digitalocean-token', 'dop_v1_ doo_v1_ dor_v1_', hex(64), {
    example: 'dop_v1_<h64>',
    lookalike: 'dop_v1_api',
  }),
  key('shopify-token', 'shpat_ shpca_ shppa_ shpss_ shptka_', hex(32), {
    example: 'shpat_<h32>',
    lookalike: 'shpat_access',
  }),
  key(
    'cloud-token',
    'HRKU- fo1_ nfp_ nfc_ nfo_ nfu_ nfb_ rnd_ sbp_ sb_secret_ pscale_tkn_ pscale_oauth_ pscale_pw_ vcp_ vci_ vca_ vcr_ vck_ cfut_ cfat_ cfk_ mdb_sa_sk_ tskey-auth- tskey-api- tskey-client- tk-us- scw- linode_',
    '([A-Za-z0-9_.=-]{20,})',
    { example: 'nfp_<36>', lookalike: 'rnd_team_meeting_notes.txt' },
  ),
  key('cloud-token', 'dapi dkea dose', '[0-9a-f]{32}(?:-\\d)?(?![A-Za-z0-9])', {
    example: 'dapi<h32>',
    lookalike: 'dapiVersion',
    before: whole,
  }),
  key('cloud-token', 'fm1_ fm1a_ fm1r_ fm2_', '([A-Za-z0-9+/=_,-]{40,})', {
    example: 'fm2_<200>',
    lookalike: 'fm2_radio_station',
  }),
  key('cloud-token', 'napi_', plain(40), { example: 'napi_<64>', lookalike: 'napi_get_value_string_utf16' }),
  key('cloud-token', 'npg_', plain(12), { example: 'npg_<16>', lookalike: 'npg_connection', before: whole }),
  key('cloud-token', 'LTAI AKID', plain(16), {
    example: 'LTAI<20>',
    lookalike: 'AKIDENTITYPROVIDERS',
    before: whole,
  }),
  key('cloud-token', 'v1.0-', `[0-9a-f]{24}-${hex(60)}`, {
    example: 'v1.0-<h24>-<h146>',
    lookalike: 'v1.0-beta',
    before: whole,
  }),
  key('cloud-token', 'sha256~', dashed(40), { example: 'sha256~<43>', lookalike: 'sha256~digest' }),
  key(
    'service-token',
    'lin_api_ lin_oauth_ ntn_ figd_ figo_ figu_ sntrys_ sntryu_ sntrya_ glsa_ glc_ hcaik_ hcbik_ hcamk_ PMAK- PMAT- pul- CCIPAT_ CCIPRJ_ CFPAT- rdme_ fio-u- tfp_ pnu_ pnb_ ico- EZAK EZTK duffel_live_ duffel_test_ shippo_live_ shippo_test_ bkua_ bkagent_ sqp_ sqa_ squ_ xkeysib- xsmtpsib- pdl_live_ pdl_sdbx_ rzp_live_ FLWSECK- FLWSECK_TEST- APP_USR- phx_ phs_ rpa_ hvr_ wpat_ trigger_ cal_live_ bb_live_ clh_ dd_ typ_ ddp_ ddapp_ nvd_ uptime_ ubi_ tok_live_',
    base64(20),
    { example: 'lin_api_<40>', lookalike: 'ops_runbook_for_the_weekly_deployment.md' },
  ),
  key('service-token', 'secret_', plain(40), {
    example: 'secret_<43>',
    lookalike: 'secret_manager_configuration_for_production',
  }),
  key('service-token', 'NRAK- NRJS- NRII- NRRA- NRIQ- API-', '([A-Z0-9]{19,})(?![A-Za-z0-9])', {
    example: 'NRAK-<U27>',
    lookalike: 'API-DOCUMENTATIONINDEX',
    before: whole,
  }),
  key('service-token', 'EAAA EAAC EAAB EAAG EAAF EAAE', dashed(50), {
    example: 'EAAA<60>',
    lookalike: 'EAAAccount',
    before: whole,
  }),
  key('service-token', 'sq0atp- sq0csp- sq0idp- sq0idb-', dashed(22), {
    example: 'sq0atp-<22>',
    lookalike: 'sq0atp-token',
  }),
  key('service-token', 're_', '([A-Za-z0-9]{6,12}_[A-Za-z0-9]{18,30})(?![A-Za-z0-9_])', {
    example: 're_<8>_<24>',
    lookalike: 're_compile_all_the_patterns_at_once',
    before: whole,
  }),
  key('service-token', 'key-', '[0-9a-f]{32}(?![A-Za-z0-9-])', {
    example: 'key-<h32>',
    lookalike: 'key-bindings.json',
    before: whole,
  }),
  key('service-token', 'pat', '[A-Za-z0-9]{14}\\.[0-9a-f]{40,}', {
    example: 'pat<14>.<h64>',
    lookalike: 'pattern.ts',
    before: whole,
  }),
  key('service-token', 'pat-na pat-eu', `\\d-${uuid}`, {
    example: 'pat-na1-<h8>-<h4>-<h4>-<h4>-<h12>',
    lookalike: 'pat-eu1-region',
  }),
  key('service-token', 'sdk- api- mob- access-sandbox- access-production- access-development-', uuid, {
    example: 'sdk-<h8>-<h4>-<h4>-<h4>-<h12>',
    lookalike: 'api-v2-reference',
    before: whole,
  }),
  key(
    'service-token',
    'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. mlsn. snyk_uat. dt0c01. dt0s01. dt0s16. t1. sl.u. sl.',
    '([A-Za-z0-9_.-]{40,})',
    { example: 'dp.pt.<43>', lookalike: 'sl.example.internal.services.shop.deployment.yaml' },
  ),
  key('service-token', 'access_token$production$ access_token$sandbox$', '[0-9a-z]{16}\\$[0-9a-f]{32}', {
    example: 'access_token$production$<h16>$<h32>',
    lookalike: 'access_token$production$name',
  }),
  key('service-token', 'pk_', '\\d{5,10}_[A-Z0-9]{32}', {
    example: 'pk_<d8>_<U32>',
    lookalike: 'pk_column',
    before: whole,
  }),
  key('vault-token', 'hvs. hvb. hvr.', dashed(20), {
    example: 'hvs.<90>',
    lookalike: 'hvs.configuration-values-for-tests',
  }),
  key('vault-token', 's.', plain(24, 26), {
    example: 's.<24>',
    lookalike: 's.configurationManagement',
    before: whole,
  }),
  key('one-password-token', 'ops_eyJ', base64(40), { example: 'ops_eyJ<120>', lookalike: 'ops_eyJacket' }),
  key('one-password-token', 'A3-', '[A-Z0-9]{6}-[A-Z0-9]{6,11}(?:-[A-Z0-9]{5}){3,4}', {
    example: 'A3-<U6>-<U6>-<U5>-<U5>-<U5>-<U5>',
    lookalike: 'A3-LANDSCAPE',
    before: whole,
  }),
  key('age-key', 'AGE-SECRET-KEY-1', '[A-Z0-9]{50,}', {
    example: 'AGE-SECRET-KEY-1<U58>',
    lookalike: 'AGE-SECRET-KEY-1…',
  }),
  key('mapbox-token', 'sk.eyJ', '[A-Za-z0-9_-]{20,}\\.[A-Za-z0-9_-]{10,}', {
    example: 'sk.eyJ<60>.<22>',
    lookalike: 'sk.eyJs',
  }),
  key(
    'slack-webhook',
    'hooks.slack.com',
    `${kept(`${slash}(?:services|workflows|triggers)${slash}`, 'hooks\\.slack\\.com')}[A-Za-z0-9]+${slash}[A-Za-z0-9]+${slash}[A-Za-z0-9]+`,
    {
      example: 'https://hooks.slack.com/services/T<8>/B<8>/<24>',
      lookalike: 'https://hooks.slack.com/services/…',
    },
  ),
  key(
    'discord-webhook',
    'discord.com discordapp.com',
    `${kept(`${slash}api${slash}(?:v\\d+${slash})?webhooks${slash}\\d{15,20}${slash}`, 'discord(?:app)?\\.com')}[A-Za-z0-9_-]{40,}`,
    {
      example: 'https://discord.com/api/webhooks/<d18>/<60>',
      lookalike: 'https://discord.com/api/webhooks/id/token',
    },
  ),
  key(
    'teams-webhook',
    'webhook.office.com',
    `${kept(`${slash}webhookb2${slash}`, 'webhook\\.office\\.com')}[^\\s"'\\x60<>]{60,}`,
    {
      example: 'https://acme.webhook.office.com/webhookb2/<h36>@<h36>/IncomingWebhook/<h32>/<h36>',
      lookalike: 'https://acme.webhook.office.com/webhookb2/…',
    },
  ),
  // What each kind of private key starts with, in base64.
  key(
    'private-key',
    'LS0tLS1CRUdJTiBSU0EgUFJJVkFUR LS0tLS1CRUdJTiBQUklWQVRF LS0tLS1CRUdJTiBFQyBQUklWQVRF LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVE LS0tLS1CRUdJTiBFTkNSWVBURUQgUFJJVkFU',
    '[A-Za-z0-9+/=]{40,}',
    { example: 'LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBL<400>', lookalike: 'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t' },
  ),
  // A format that allows dashes inside must not follow a dash: each one would start another long, futile match.
  key(
    'json-web-token',
    'eyJ',
    '[A-Za-z0-9_-]{10,}\\.(?:eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}|[A-Za-z0-9_-]{0,800}\\.[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,})',
    { example: 'eyJ<20>.eyJ<60>.<43>', lookalike: 'eyJhbGciOiJIUzI1NiJ9', before: 'A-Za-z0-9_-' },
  ),
  // Prefixes that any program may use.
  key('service-token', 'live_ prod_ pat_ secret_ apikey_ api_key_ token_ sk_', plain(20), {
    example: 'acme_live_<32>',
    lookalike: 'token_classification_pipeline',
    isSecret: isRandom,
  }),
];

const label = (
  name: string,
  pattern: RegExp,
  isSecret: LabelKind['isSecret'],
  [example, lookalike]: readonly [string, string],
): LabelKind => ({ by: 'label', name, label: pattern, isSecret, example, lookalike });

/** Of a name that ends with `key`: what is before that says whether it is secret. */
const secretKeyName =
  /(?:api|access|secret|private|signing|sign|encryption|encrypt|crypto|master|auth|account|storage|service|role|server|session|subscription|app|application|deploy|admin|write|ingest|integration|license|webhook|hmac|jwt|cookie|root|shared|developer|rest|bot|consumer|functions?|host|rsa|ssl|tls|client|project|team|user|live|data|x)[_\-. ]?keys?$/i;

const isKeyOrSecret = (value: string, writing: Writing) => {
  if (isToken(value, writing)) return true;
  if (writing === 'bare' || value.length < 10 || !/\d/.test(value)) return false;
  // In quotes it may be the name of a secret.
  return (writing !== 'quoted' || /[^\w\s.:/-]/.test(value)) && isPassword(value, writing);
};

/** In the order in which they are tried on the name of what is assigned. */
const labels: readonly LabelKind[] = [
  label(
    'aws-secret-key',
    /aws_?secret_?access_?key$/i,
    (value) => /^(?:[A-Za-z0-9+]|\\{0,7}\/){40}$/.test(value),
    ['aws_secret_access_key = <40>', 'aws_secret_access_key = os.environ["KEY"]'],
  ),
  label(
    'azure-key',
    /(?:Account|SharedAccess)Key$/,
    (value) => /^(?:[A-Za-z0-9+]|\\{0,7}\/){42,}={0,2}$/.test(value),
    ['AccountKey=<86>==', 'AccountKey=$STORAGE_KEY'],
  ),
  label(
    'authorization',
    /authorization$/i,
    (value) =>
      value.length >= 8 &&
      !isPlaceholder(value) &&
      (isBasic(value) || (value.length >= 16 && !isName(value) && !/[$({[]/.test(value))),
    ['Authorization: Bearer <40>', 'Authorization: Bearer SomeClassName'],
  ),
  label(
    'bearer-token',
    /bearer$/i,
    (value) => value.length >= 20 && isRandom(value) && !isPlaceholder(value),
    ['bearer <40>', 'the bearer SomeVeryLongClassName'],
  ),
  label('password', /pass(?:wor[dt]|wd|phrase|code)?$|kennwort$|senha$|pwd$|pw$/i, isPassword, [
    'DB_PASSWORD=hunter2!x',
    'password: z.string().min(8)',
  ]),
  label('secret', /secrets?$|secret_?key_?base$|credentials?$/i, isKeyOrSecret, [
    'JWT_SECRET="<32>"',
    'secret: db-credentials-v2',
  ]),
  label('url-password', /thin$/i, (value) => /^[\w$#]{1,64}\/[^@\s{]{3,64}@/.test(value), [
    'jdbc:oracle:thin:shop/hunter22@db:1521:x',
    'jdbc:oracle:thin:@db:1521:x',
  ]),
  label('seed-phrase', /(?:mnemonic|phrase)$/i, (value) => /^(?:[a-z]{3,8} ){11,23}[a-z]{3,8}$/.test(value), [
    'mnemonic: "army van defense carry jealous true garbage claim echo media make crunch"',
    'mnemonic: "a word"',
  ]),
  label(
    'token',
    /token$|auth$|jwt$|x-amz-signature$|(?:^|[_-])sig$|(?:^|[_-])pat$/i,
    (value, writing) => isToken(value, writing) || isBasic(value),
    ['access_token: <40>', 'token = tokenizer.next()'],
  ),
  label('api-key', secretKeyName, isKeyOrSecret, ['x-api-key: <32>', 'apiKey: settings.apiKey']),
  label(
    'api-key',
    /(?:^|[_-])KEY$/,
    (value) => value.length >= 20 && isToken(value, 'quoted') && !/^[0-9a-f-]+$/i.test(value),
    ['MISTRAL_KEY=<32>', 'CACHE_KEY=shop-v2-assets'],
  ),
];

/** `user:password` in base64. */
function isBasic(value: string): boolean {
  return (
    /^[A-Za-z0-9+/]{8,}={0,2}$/.test(value) &&
    /^[\x21-\x7e]{1,64}:[\x20-\x7e]+$/.test(Buffer.from(value, 'base64').toString('latin1'))
  );
}

/** What editors, diffs, comments and strings put at the ends of a line: numbers, signs, quotes; line ends may be escaped. */
const margin = String.raw`(?:[\s>+\-#*|/;"'\x60.,→]|\d{1,6}[→\t:|]|\\{1,8}[nr]|\\{1,8}$|%0[AaDd])`;
const keyName = '[A-Z0-9 +%]{0,60}PRIVATE(?: |%20|\\+)KEY(?:(?: |%20|\\+)BLOCK)?-----';
const keyLine = `${margin}{1,40}[A-Za-z0-9+/=]{40,}`;
const keyHeader = String.raw`${margin}{1,40}(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash): [^\r\n\\]{0,100}`;
const hasKeyLine = (body: string) => (body.match(/[A-Za-z0-9+/=]{16,}/g) ?? []).some((line) => !isName(line));

/** Each value of a list of cookies that identifies somebody. */
const cookieValue = /([\w.-]{1,80}=)([^;\s"'\\,]{8,4096})/g;
const isCookieSecret = (name: string, value: string) =>
  !isPlaceholder(value) &&
  !/[$({[]/.test(value) &&
  ((value.length >= 16 && isRandom(value)) ||
    (/sess|sid|auth|token|jwt/i.test(name) && /\d/.test(value) && !isName(value)));

const isLiteral = (value: string) =>
  !isPlaceholder(value) && !/^[$%({[<]|\$[({]/.test(value) && isPassword(`${value}!1aZ`, 'setting');

interface SignText {
  readonly signs: readonly string[];
  readonly within?: readonly string[];
  readonly kept: string;
  readonly secret: string;
  /** The same for a secret of which only the start is left, at the end of the text; what is before it in a group. */
  readonly cut?: string;
  readonly flags?: string;
  readonly isSecret?: (value: string) => boolean;
  readonly toMarked?: SignKind['toMarked'];
}

const sign = (
  name: string,
  { kept, secret, cut, flags = '', ...surroundings }: SignText,
  [example, lookalike]: readonly [string, string],
): SignKind => ({
  by: 'sign',
  name,
  ...surroundings,
  pattern: new RegExp(`(${kept})(${secret})`, `g${flags}`),
  ...(cut !== undefined && { cutPattern: new RegExp(`${cut}$`, flags) }),
  example,
  lookalike,
});

/** A command and one of its options, up to the value of that option. */
const inCommand = (command: string, option: string) =>
  String.raw`(?:${command})\b(?:(?!\b(?:${command})\b)[^\n|;]){0,300}?\s${option}${quote}`;
const word = String.raw`[^\s"'\x60\\<>]`;

const signed: readonly SignKind[] = [
  sign(
    'private-key',
    {
      signs: ['PRIVATE'],
      kept: '',
      secret: `-----BEGIN(?: |%20|\\+)${keyName}(?:(?:(?!-----(?:BEGIN|END))[\\s\\S]){0,30000}-----END(?: |%20|\\+)${keyName}|(?:${keyHeader}){0,4}(?:${keyLine})+(?:${margin}{1,40}[A-Za-z0-9+/=]{1,39}(?=[\\s"'\\\\]|$))?)`,
      cut: `()-----BEGIN(?: |%20|\\+)${keyName}(?:[A-Za-z0-9=:()]|${margin})*`,
      isSecret: hasKeyLine,
    },
    [
      '-----BEGIN EC PRIVATE KEY-----\n<64>\n<40>==\n-----END EC PRIVATE KEY-----',
      '-----BEGIN PRIVATE KEY----- is how the file starts',
    ],
  ),
  sign(
    'private-key',
    {
      signs: ['Private-Lines'],
      kept: String.raw`Private-Lines: \d{1,3}`,
      secret: String.raw`(?:(?:\s|\\{1,8}[nr]){1,8}[A-Za-z0-9+/=]{20,64})+`,
    },
    ['Private-Lines: 1\n<64>\nPrivate-MAC: x', 'Private-Lines: how many there are'],
  ),
  sign(
    'azure-key',
    {
      signs: ['Q~'],
      kept: `(?:(?<![A-Za-z0-9_~.-])|${escapes})`,
      secret: '[A-Za-z0-9_~.-]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])',
    },
    ['abc8Q~<34>', 'Q~ is the mark'],
  ),
  sign(
    'url-password',
    {
      signs: ['://', ':\\'],
      within: ['@'],
      // With a slash in it only where it cannot be a path, and not after a port.
      kept: String.raw`:${slash}${slash}(?<=[a-z0-9]:${slash}${slash})[^\s/:@'"\x60<>\\[]{0,64}:(?:(?=[^\s/'"\x60<>]{0,128}@)|(?<!https?:${slash}${slash}[^\s/:]{0,64}:)(?!\d{1,5}[/?#])(?=[^\s'"\x60<>]{0,128}@))`,
      secret: String.raw`[^\s'"\x60<>({[\\,]{3,128}(?=@[\w.[-])`,
      // Digits are a port. The addresses of webhooks are secrets too.
      cut: String.raw`(:${slash}${slash}(?<=[a-z0-9]:${slash}${slash})[^\s/:@'"\x60<>\\[]{0,64}:(?!\d{1,5}$)|hooks\.slack\.com${slash}(?:services|workflows|triggers)${slash}|discord(?:app)?\.com${slash}api${slash}webhooks${slash}\d{15,20}${slash})[^\s:@'"\x60<>$({[]{1,128}@?`,
      flags: 'i',
      isSecret: (value) =>
        !isPlaceholder(value.replace(/^%(?=[0-9A-Fa-f]{2})/, '')) &&
        !/^(?:pass|pw|pwd|passwd|password)$|^\$|\$\{|:\/\//i.test(value),
    },
    ['postgres://shop:hunter22@db:5432/shop', 'https://user:password@host'],
  ),
  sign(
    'command-password',
    {
      signs: ['-u'],
      within: ['curl'],
      kept: inCommand('curl', `(?:-u|--user|--proxy-user|-U)[ =]?${quote}[^\\s:"'$]{1,64}:`),
      secret: `${word}{3,128}`,
      isSecret: isLiteral,
    },
    ['curl -s -u shop:hunter22 https://example.com', 'curl -u "$USER:$PASS" https://example.com'],
  ),
  sign(
    'command-password',
    {
      signs: ['-p'],
      within: ['sshpass'],
      kept: inCommand('sshpass', '-p ?'),
      secret: `${word}{3,128}`,
      isSecret: isLiteral,
    },
    ['sshpass -p hunter22 ssh host', 'sshpass -p "$PASS" ssh host'],
  ),
  sign(
    'command-password',
    {
      signs: ['-p'],
      within: ['mysql', 'mariadb'],
      kept: inCommand('(?:mysql|mariadb)(?:dump|admin|-dump|-admin|import|show)?', '-p'),
      secret: `${word}{4,128}`,
      isSecret: isLiteral,
    },
    ['mysql -u root -phunter22 shop', 'mysql -u root -p shop'],
  ),
  sign(
    'command-password',
    {
      signs: ['-p'],
      within: ['gin -'],
      kept: inCommand(
        '(?:docker|podman|helm|oc|az|buildah|skopeo|cf)(?: registry)? login|redis-cli',
        '(?:-p|-a) ',
      ),
      secret: `${word}{4,128}`,
      isSecret: isLiteral,
    },
    ['docker login -u shop -p hunter22', 'docker run -p 8080:80 login'],
  ),
  sign(
    'command-password',
    {
      signs: ['-a '],
      within: ['-cli ', 'http'],
      kept: inCommand(
        '(?:redis|valkey|keydb)-cli|https?',
        `-a (?:(?<=https?[^\\n]{0,80} -a )${quote}[^\\s:"'$]{1,64}:)?`,
      ),
      secret: `${word}{4,128}`,
      isSecret: isLiteral,
    },
    ['redis-cli -h cache -a hunter22 ping', 'redis-cli -a "$PASS" ping'],
  ),
  sign(
    'command-password',
    {
      signs: ['setx '],
      kept: String.raw`setx (?:/m )?\w{0,40}(?:KEY|TOKEN|SECRET|PASS|PASSWORD|PWD) ${quote}`,
      secret: `${word}{4,256}`,
      flags: 'i',
      isSecret: isLiteral,
    },
    ['setx API_TOKEN <32>', 'setx API_TOKEN %TOKEN%'],
  ),
  sign(
    'command-password',
    {
      signs: ['BasicAuth('],
      kept: String.raw`BasicAuth\(\s{0,4}\\{0,7}["'][^"'\\]{1,64}\\{0,7}["'],\s{0,4}\\{0,7}["']`,
      secret: `[^"'\\\\\\s]{3,128}`,
      isSecret: isLiteral,
    },
    ['HTTPBasicAuth("shop", "hunter22")', 'HTTPBasicAuth(user, password)'],
  ),
  sign(
    'cookie',
    {
      signs: ['kie'],
      kept: String.raw`cookies?(?:${escaped(`["']`)})?\s{0,4}[:=,]\s{0,4}(?:${quote}value${quote}\s{0,4}[:=]\s{0,4})?${quote}|--cookie[ =]${quote}`,
      secret: String.raw`[\w.-]{1,80}=[^\r\n"'\\]{8,8192}`,
      flags: 'i',
      isSecret: (list) =>
        [...list.matchAll(cookieValue)].some(([, name = '', value = '']) => isCookieSecret(name, value)),
      toMarked: (list, toMarker) =>
        list.replace(cookieValue, (pair, name: string, value: string) =>
          isCookieSecret(name, value) ? name + toMarker(value) : pair,
        ),
    },
    ['Cookie: session=<32>; theme=dark', 'Cookie: theme=dark; lang=en'],
  ),
  sign(
    'kubernetes-secret',
    {
      signs: ['Secret'],
      within: ['kind: Secret', 'kind": "Secret', 'kind":"Secret', 'kind\\'],
      kept: String.raw`(?:\b|(?<=\\n))(?:data|stringData)\\{0,7}["']?:\s{0,8}?`,
      secret: String.raw`(?:(?:(?:\r?\n|\\{1,8}n)[ \t+>|→\d]{1,24}|[{,]\s{0,24})${quote}[\w.-]{1,80}${quote}: {0,4}${quote}[^\s"'\\,{}[]{4,20000}${quote})+`,
      toMarked: (block, toMarker) =>
        block.replace(
          /(: {0,4}\\{0,7}["']?)([^\s"'\\,{}[]{4,})/g,
          (_, before: string, value: string) => before + toMarker(value),
        ),
    },
    ['kind: Secret\ndata:\n  password: aHVudGVyMjI=\n', 'kind: Secret\nmetadata:\n  name: shop\n'],
  ),
  sign(
    'password',
    {
      signs: ['sword ', 'SWORD ', "BY '", '-pass', 'sphrase ', 'sswd '],
      kept: String.raw`--?(?:[\w-]{0,30}-)?pass(?:word|wd|phrase|code)?[ \t]{1,2}${quote}|${start}(?:login|user|machine|default)\s{1,4}\S{1,64}\s{1,4}password\s{1,4}|password(?<=\b\w{0,30}password)\s{1,2}["']|identified by '|${start}(?:password|passwd|passphrase)\s(?:is|was):?\s{1,2}\\{0,7}["'\x60]?`,
      secret: String.raw`${word}{4,127}[^\s"'\x60\\<>,.;:)]`,
      flags: 'i',
      isSecret: (value) => isPassword(value, 'bare'),
    },
    ['tool --password hunter22 --host db', 'usage: tool --password <pw>'],
  ),
];

export const secretKinds: readonly SecretKind[] = [...keys, ...signed, ...labels];
