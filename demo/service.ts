/** The service as the demo's child: it ends with its parent, however that ends. */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
/** Asked for its peak memory, in kilobytes: only the process itself knows it on every system. */
process.on('message', () => process.send!(process.resourceUsage().maxRSS));
await import('../src/main.js');

export {};
