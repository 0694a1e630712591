/** Header that the service requires beside the cookie; a page of another site cannot send it. */
export const CONSOLE_HEADERS = { 'X-Recount-Console': '1' };
