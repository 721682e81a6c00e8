/**
 * One master of a cluster hangs, and what that costs the queues of the others.
 */
@NullMarked
package io.asynq.reliability.nodes;

import org.jspecify.annotations.NullMarked;
