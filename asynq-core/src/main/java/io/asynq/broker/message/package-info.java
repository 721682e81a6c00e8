/**
 * The arguments and results of the roles: messages, placements, leases, outcomes.
 */
@NullMarked
package io.asynq.broker.message;

import org.jspecify.annotations.NullMarked;
