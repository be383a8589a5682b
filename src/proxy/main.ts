/** Starts the data plane. */
process.stderr.write('cfgwctl proxy: not built yet\n');
process.exitCode = 2;
