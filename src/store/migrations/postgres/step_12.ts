/** MCP over HTTP has no sessions: each request says all that an instance needs to answer it. */
export const STEP_12 = ['DROP TABLE conversation_messages; DROP TABLE conversations;'];
