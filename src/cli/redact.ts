const REDACTED = "<redacted>";

/**
 * `text` without what must not be read by others: passwords in URLs, tokens, AWS credentials, private keys, registry
 * logins, values of environment settings. What is public stays: certificates, ARNs, host names, digests.
 *
 * @param secrets further texts to cut out, such as the values of `instance.environment`; each where it stands as a word
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  const known = secrets.filter(isRecognisable).reduce((rest, secret) => rest.replace(asWord(secret), REDACTED), text);
  // Nearly no text of a log has any of it, and the rules take 5 ms to compile.
  return SIGN.test(known) ? redactByRules(known) : known;
}

/** The same for the rules alone, however the text looks. */
export function redactByRules(text: string): string {
  return RULES.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text);
}

/** A command line without its secrets, one argument for each as before. */
export function redactArguments(args: readonly string[], secrets: readonly string[] = []): readonly string[] {
  return args.map((argument, index) => (SECRET_OPTIONS.includes(args[index - 1] ?? "") ? REDACTED : redactArgument(argument, secrets)));
}

const SECRET_OPTIONS = ["--docker-config-json"];

function redactArgument(argument: string, secrets: readonly string[]): string {
  const option = SECRET_OPTIONS.find((name) => argument.startsWith(`${name}=`));
  return option === undefined ? redact(argument, secrets) : `${option}=${REDACTED}`;
}

/** "true" or "1" as a value is no secret, and cutting it out of every sentence would leave none readable. */
const SHORTEST_SECRET = 6;

function isRecognisable(secret: string): boolean {
  return secret.trim().length >= SHORTEST_SECRET;
}

function asWord(secret: string): RegExp {
  return new RegExp(`(?<![\\w-])${secret.trim().replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}(?![\\w-])`, "g");
}

// A quoted value: what stands between a quote, escaped or not, and the next one that is escaped alike.
const QUOTED_VALUE = String.raw`(?<open>\\*["'])(?:(?!(?<!\\)\k<open>).)*`;

/** No rule matches a text without one of these: each rule has one of them in what it matches. */
const SIGN = /@|AQA|eyJ|IQoJb3JpZ2lu|FwoGZXIv|FQoGZXIv|A[KS]IA|PRIVATE KEY|[Ee]nvironment=|[Kk]8s-aws|docker[-_]config[-_]json|x-amz-|signature=|(?:auth|token|passw|secret|key-data)[\w-]*[\\"']*\s*[=:,]/i;

/** Names whose value is always a secret. */
const SECRET_NAMES = "password|passwd|secretaccesskey|secret_access_key|aws_secret_access_key|sessiontoken|session_token|aws_session_token|identitytoken|registrytoken|client-key-data|clientSecret";

/**
 * What a secret looks like, and what is put in its place. A rule finds nothing new in what another has put there, and none
 * takes longer than the text is long: some of it is foreign.
 */
const RULES: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g, REDACTED],

  // --docker-config-json: quoted, bare JSON to the end of its line, or one word. A sentence may go on after the option's name.
  [/(docker[-_]config[-_]json["']?[=:\s]\s*)(?:"(?:\\.|[^"\\])*"?|'[^']*'?|\{.*)/gi, `$1${REDACTED}`],
  [/(docker[-_]config[-_]json=)\S+/gi, `$1${REDACTED}`],

  // Settings of units. kubelet's own command line is no secret, and is what a dry run is looked at for.
  [/(\bEnvironment=)(["']?)((?!KUBELET_)\w+)=.*/g, `$1$2$3=${REDACTED}$2`],

  // Tokens, by how they begin: of kubelet, of service accounts, of AWS STS, of IMDS.
  [/\bk8s-aws-v1\.[\w-]+=*/g, `k8s-aws-v1.${REDACTED}`],
  [/\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]+/g, REDACTED],
  [/(?<![\w+/])(?:IQoJb3JpZ2lu|FwoGZXIv|FQoGZXIv)[\w+/%-]{20,}=*/g, REDACTED],
  [/(?<![\w+/=-])AQA[\w-]{37,}==(?![\w=])/g, REDACTED],

  // Requests: headers that say who asks, and what a presigned URL is signed with.
  [/(authorization["']?\s*[:=,]\s*["']?(?:AWS4-HMAC-SHA256|Basic|Bearer|Digest|Negotiate))\s[^\r\n"']+/gi, `$1 ${REDACTED}`],
  [/((?:x-aws-ec2-metadata-token|x-amz-security-token)["']?\s*[:,]\s*["']?)[^\s"',}]+/gi, `$1${REDACTED}`],
  [/\b(X-Amz-(?:Security-Token|Signature|Credential)(?:=|%3D))[^&\s"'<>]+/gi, `$1${REDACTED}`],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, REDACTED],
  [/\b(Signature=)[0-9a-f]{64}\b/g, `$1${REDACTED}`],

  // http://user:password@host. Not http://host:8080/path@version, and no image by tag and digest. A password may hold an @
  // or a slash that should have been escaped.
  [/(:\/\/[^\s/?#"'<>@:]*):(?!\d{1,5}(?:[/?#\s]|$))[^\s"']{0,500}@(?!sha256:)/g, `$1:${REDACTED}@`],
  // user:password@host:port, as proxies are written.
  [/(?<![\w/.:@-])([\w.%+-]+):[^\s:@/"'<>]+@(?=[\w.-]+:\d)/g, `$1:${REDACTED}@`],

  // name = "value", "name": "value", also where the quotes are escaped because JSON stands in JSON.
  [new RegExp(String.raw`((?<![A-Za-z])(?:${SECRET_NAMES})\\*["']?\s*[:=]\s*)${QUOTED_VALUE}`, "gi"), `$1$2${REDACTED}`],
  [new RegExp(String.raw`((?:["'](?:auth|token)\\*["']\s*:|(?<![\w-])(?:auth|token)\s*=)\s*)${QUOTED_VALUE}`, "gi"), `$1$2${REDACTED}`],
  // NAME=value, and name: value on a line of its own.
  [/((?<![A-Za-z])(?:password|passwd)=)[^\s"'&;,]+/gi, `$1${REDACTED}`],
  [/(\b[A-Z0-9_]*(?:SECRET|TOKEN|SECRET_ACCESS_KEY)=)[^\s"'&;,]+/g, `$1${REDACTED}`],
  [new RegExp(String.raw`^([+ -]?[ \t]*(?:${SECRET_NAMES}|token):[ \t]+)[^\s"'].*$`, "gim"), `$1${REDACTED}`],
];
