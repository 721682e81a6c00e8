/**
 * What keeps a server and its queues in order: leases, due tasks, recovery, retention,
 * health.
 */
@NullMarked
package io.asynq.server.upkeep;

import org.jspecify.annotations.NullMarked;
