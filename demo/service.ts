/** Service as the demo's child process. It ends when its parent ends. */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
/** Answers with its peak memory in kilobytes, which only the process itself knows on every system. */
process.on('message', () => process.send!(process.resourceUsage().maxRSS));
await import('../src/main.js');

export {};
