/**
 * The arguments and results of the broker's calls: messages, placements, leases,
 * outcomes.
 */
@NullMarked
package io.asynq.broker.message;

import org.jspecify.annotations.NullMarked;
