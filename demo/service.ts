/** The service as the demo's child: it ends with its parent, however that ends. */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
await import('../src/main.js');

export {};
