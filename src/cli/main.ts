/** Starts cfgwctl. */
process.stderr.write('cfgwctl: not built yet\n');
process.exitCode = 2;
