/**
 * Limits over all servers: who holds tokens, and which tasks wait.
 */
@NullMarked
package io.asynq.broker.limit;

import org.jspecify.annotations.NullMarked;
