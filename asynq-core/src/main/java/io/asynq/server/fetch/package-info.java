/**
 * Takes tasks from queues by weight or priority.
 */
@NullMarked
package io.asynq.server.fetch;

import org.jspecify.annotations.NullMarked;
