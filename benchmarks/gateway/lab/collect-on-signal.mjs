// Loaded into a process whose allocation is measured: SIGUSR2 makes it collect its garbage.
process.on('SIGUSR2', () => globalThis.gc());
