/** The syntaxes of names in Kubernetes; each returns what must be if the text is not of it. */
export type NameSyntax = (text: string) => string | undefined;

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const WORD = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

/** RFC 1123 label: names of namespaces, of Services and of their ports. */
export const dnsLabel: NameSyntax = (text) =>
  text.length <= 63 && LABEL.test(text)
    ? undefined
    : 'must be a DNS label: at most 63 lower-case letters, digits and -, beginning and ending with a letter or digit';

/** RFC 1123 subdomain: names of most objects. */
export const dnsSubdomain: NameSyntax = (text) =>
  text.length <= 253 && SUBDOMAIN.test(text)
    ? undefined
    : 'must be a DNS name: at most 253 lower-case letters, digits, - and ., each part beginning and ending with a letter or digit';

/** `app`, `example.com/app`: keys of labels and annotations. */
export const qualifiedName: NameSyntax = (text) => {
  const slash = text.indexOf('/');
  const prefix = slash < 0 ? undefined : text.slice(0, slash);
  const word = text.slice(slash + 1);
  const fits = word.length <= 63 && WORD.test(word) && (prefix === undefined || dnsSubdomain(prefix) === undefined);
  return fits
    ? undefined
    : 'must be a key such as app or example.com/app: at most 63 letters, digits, -, _ and . after an optional DNS name and /';
};

/** The value of a label, which may be empty. */
export const labelValue: NameSyntax = (text) =>
  text === '' || (text.length <= 63 && WORD.test(text))
    ? undefined
    : 'must be empty, or at most 63 letters, digits, -, _ and ., beginning and ending with a letter or digit';

/** A key in the data of a ConfigMap or Secret. */
export const dataKey: NameSyntax = (text) =>
  text.length <= 253 && /^[-._a-zA-Z0-9]+$/.test(text) && text !== '.' && !text.startsWith('..')
    ? undefined
    : 'must be a key of at most 253 letters, digits, -, _ and ., which does not begin with ..';

/** `http-metrics`: the name of a container's port. */
export const portName: NameSyntax = (text) =>
  text.length <= 15 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text) && /[a-z]/.test(text)
    ? undefined
    : 'must be a port name: at most 15 lower-case letters, digits and single -, with at least one letter';
