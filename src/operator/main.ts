/** The operator is not part of this release: it says so and ends with exit code 2, so that no one waits for it to do something. */
process.stderr.write(
  'cfgwctl operator: the operator comes with the next release; use "cfgwctl render" to make manifests from files\n',
);
process.exitCode = 2;
