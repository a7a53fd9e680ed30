/** The Redis that the embedded server behaves like. */
export const SERVER_VERSION = '7.2.0';
